package dev.poolkeeper.core.examples;

import dev.poolkeeper.fake.FakeTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A loopback backend that fails a given number of times, then succeeds. One request per connection. */
final class LoopbackBackend implements AutoCloseable {

    private final FakeTime time;
    private final ServerSocket server;
    private final ExecutorService connections = Executors.newCachedThreadPool();
    private int status = 200;
    private int failures;
    private boolean breaksOff;
    private Duration delay = Duration.ZERO;
    private final List<Duration> received = new ArrayList<>();

    /** @param time what delays are measured by: a request whose answer is delayed advances it, once it is waited for */
    LoopbackBackend(FakeTime time) {
        this.time = time;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.execute(this::accept);
    }

    URI uri() {
        return URI.create("http://localhost:" + server.getLocalPort() + "/retry");
    }

    /** Answers the next requests with these statuses, each after a delay; then 200 immediately. */
    synchronized void answer(int failureStatus, int times, Duration each) {
        status = failureStatus;
        failures = times;
        delay = each;
        breaksOff = false;
        received.clear();
    }

    /** Breaks the next connections in the middle of a response; then 200. */
    synchronized void breakOff(int times) {
        answer(200, times, Duration.ZERO);
        breaksOff = true;
    }

    /** When each request arrived, since the start of the time. */
    synchronized List<Duration> received() {
        return List.copyOf(received);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.execute(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            String line = reader.readLine();
            while (line != null && !line.isEmpty()) {
                line = reader.readLine();
            }
            boolean fails = isFailing();
            if (fails && breaksOff) {
                // a few bytes first: the JDK's client repeats a request without any response by itself
                socket.getOutputStream().write("HTTP/1".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            if (fails && delay.isPositive()) {
                time.awaitPending(1);
                time.advance(delay);
            }
            String answer =
                    "HTTP/1.1 " + (fails ? status : 200) + " x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // the client went away
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isFailing() {
        received.add(Duration.between(FakeTime.START, time.instant()));
        return failures-- > 0;
    }

    @Override
    public void close() throws IOException {
        server.close();
        connections.shutdownNow();
    }
}
