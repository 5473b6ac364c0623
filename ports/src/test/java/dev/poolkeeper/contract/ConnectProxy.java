package dev.poolkeeper.contract;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An HTTP proxy on the loopback interface that tunnels every CONNECT to one local port, whatever the host. */
public final class ConnectProxy implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    /** The response to each CONNECT; null to tunnel it. */
    private volatile @Nullable String refusal;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** @param target the port on the loopback interface */
    public ConnectProxy(int target) throws IOException {
        this.target = target;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** One that tunnels nothing: it answers 407, as for a client without credentials. */
    public static ConnectProxy askingForCredentials() throws IOException {
        ConnectProxy proxy = new ConnectProxy(0);
        proxy.askForCredentials();
        return proxy;
    }

    /** Its URL. */
    public String address() {
        return "http://localhost:" + port();
    }

    /** The first line of each request. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** Its port on the loopback interface. */
    public int port() {
        return server.getLocalPort();
    }

    /** Answers every later request with 407. */
    public void askForCredentials() {
        refuse("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    }

    /** Answers every later request with this response. */
    public void refuse(String response) {
        refusal = response;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                Thread.ofVirtual().start(() -> tunnel(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void tunnel(Socket client) {
        try (client) {
            asked.add(request(client.getInputStream()));
            String refused = refusal;
            if (refused != null) {
                client.getOutputStream().write(refused.getBytes(StandardCharsets.US_ASCII));
                return;
            }
            try (Socket arm = new Socket(InetAddress.getLoopbackAddress(), target)) {
                client.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                Thread back = Thread.ofVirtual().start(() -> copy(arm, client));
                copy(client, arm);
                back.join();
            }
        } catch (IOException e) {
            // either end closed the tunnel
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A CONNECT has no body, and the client sends nothing more before the response. */
    private static String request(InputStream in) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        String first = String.valueOf(lines.readLine());
        String line = first;
        while (line != null && !line.isEmpty()) {
            line = lines.readLine();
        }
        return first;
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // either end closed the tunnel
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
