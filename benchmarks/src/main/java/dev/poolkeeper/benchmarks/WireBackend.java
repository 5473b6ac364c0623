package dev.poolkeeper.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server with minimal overhead, for requests without a body. Its responses differ only in their success. */
final class WireBackend implements AutoCloseable {

    private static final String GOOD = "200 OK";
    private static final String BAD = "500 Internal Server Error";
    private static final String BODY = "ok\n";

    private final ServerSocket server = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
    private final ExecutorService connections = Executors.newVirtualThreadPerTaskExecutor();
    private final Behaviour behaviour;

    /** Decides the outcome of a request. */
    @FunctionalInterface
    interface Behaviour {

        /** Returns when the response is due, and whether it is a success. */
        boolean succeeds() throws InterruptedException;
    }

    WireBackend(Behaviour behaviour) throws IOException {
        this.behaviour = behaviour;
        connections.execute(this::accept);
    }

    private static byte[] answer(WireHead request, boolean isGood) {
        String head = "HTTP/1.1 " + (isGood ? GOOD : BAD) + "\r\nContent-Type: text/plain\r\nContent-Length: "
                + BODY.length() + "\r\n\r\n";
        return (request.isHead() ? head : head + BODY).getBytes(StandardCharsets.US_ASCII);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.execute(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (WireHead head = WireHead.read(in); head != null; head = WireHead.read(in)) {
                out.write(answer(head, behaviour.succeeds()));
            }
        } catch (IOException e) {
            // the client closed the connection
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        connections.shutdownNow();
    }
}
