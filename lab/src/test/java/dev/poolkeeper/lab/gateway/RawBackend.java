package dev.poolkeeper.lab.gateway;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A backend that answers each request without a body with the same bytes, whatever they are. */
final class RawBackend implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final byte[] answer;
    private final boolean isClosing;

    /** @param isClosing whether it closes the connection after each answer */
    RawBackend(String answer, boolean isClosing) throws IOException {
        this.answer = answer.getBytes(StandardCharsets.ISO_8859_1);
        this.isClosing = isClosing;
        threads.execute(this::accept);
    }

    BackendAddress as(String service) {
        return new BackendAddress("", service, "127.0.0.1:" + server.getLocalPort());
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (readHead(in)) {
                socket.getOutputStream().write(answer);
                if (isClosing) {
                    return;
                }
            }
        } catch (IOException e) {
            // the gateway went away
        }
    }

    private static boolean readHead(InputStream in) throws IOException {
        for (int ends = 0; ends < 4; ) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            ends = next == (ends % 2 == 0 ? '\r' : '\n') ? ends + 1 : next == '\r' ? 1 : 0;
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
