package dev.poolkeeper.lab.gateway;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.Time;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Sends attempts to backends and never repeats one by itself. The body is sent by a second thread, so that a response
 * which comes before the end of the body is seen at once. Thread-safe.
 */
final class BackendClient implements AutoCloseable {

    /**
     * In bytes: a response up to this length is read completely before it is judged, so that a broken one can be
     * retried.
     */
    static final int READ_WHOLE = 64 << 10;

    /** Backends close idle connections after 5 s or more. */
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(4);

    /** After which a look at a connection for a millisecond does not matter. */
    private static final Duration SHORT_IDLE = Duration.ofMillis(100);

    private final ExecutorService threads;
    private final Time time;
    private final Map<String, Deque<Idle>> idle = new HashMap<>(); // guarded by this
    private final Set<BackendConnection> open = new HashSet<>(); // guarded by this
    private boolean isClosed; // guarded by this

    private record Idle(BackendConnection connection, long since) {}

    /** @param threads runs the threads that send bodies */
    BackendClient(ExecutorService threads, Time time) {
        this.threads = threads;
        this.time = time;
    }

    /**
     * Sends a request.
     *
     * @param head its first lines
     * @param limit the timeout of the response including its body; zero or negative for none
     * @throws HttpTimeoutException if the response is not complete in time
     * @throws ConnectException if there is no connection
     * @throws java.net.ProtocolException if the response is malformed
     * @throws IOException if the connection breaks
     */
    Attempt send(String authority, String method, byte[] head, RequestBody body, Duration limit) throws IOException {
        BackendConnection kept = take(authority);
        BackendConnection connection = kept == null ? new BackendConnection(authority) : kept;
        synchronized (this) {
            open.add(connection);
            if (isClosed) {
                connection.close();
            }
        }
        Attempt attempt = new Attempt(connection);
        Time.Cancellable timer = limit.isPositive() ? time.schedule(limit, attempt::end) : () -> {};
        boolean hasAnswer = false;
        try {
            if (kept == null) {
                connection.connect();
            }
            attempt.read(method, head, body, timer);
            hasAnswer = true;
            return attempt;
        } catch (IOException e) {
            throw attempt.isEnded ? timeout(e) : e;
        } finally {
            if (!hasAnswer) {
                timer.cancel();
                discard(connection);
            }
        }
    }

    private static IOException timeout(IOException cause) {
        return (IOException) new HttpTimeoutException("the response was not complete in time").initCause(cause);
    }

    /** An attempt that got a response. Closing it before the end of its body closes the connection. */
    final class Attempt implements AutoCloseable {

        private final BackendConnection connection;
        private volatile boolean isEnded;
        private @Nullable Future<?> sending;
        private @Nullable BackendAnswer answer;
        private @Nullable MessageBody wire;
        private InputStream body = InputStream.nullInputStream();
        private Time.Cancellable timer = () -> {};

        private Attempt(BackendConnection connection) {
            this.connection = connection;
        }

        /** The thread that waits for the response, or reads it, gets an exception. */
        private void end() {
            isEnded = true;
            connection.close();
        }

        private void read(String method, byte[] head, RequestBody request, Time.Cancellable limit) throws IOException {
            timer = limit;
            sending = threads.submit(() -> {
                OutputStream out = new BufferedOutputStream(connection.out());
                out.write(head);
                try {
                    request.sendTo(out);
                } finally {
                    if (request.fault().isPresent()) {
                        connection.close(); // the backend waits for what will not come
                    }
                }
                out.flush();
                return null;
            });
            answer = BackendAnswer.read(connection.in(), method);
            wire = new MessageBody(connection.in(), answer.length());
            body = wire;
            if (answer.length() >= 0 && answer.length() <= READ_WHOLE) {
                body = new ByteArrayInputStream(wire.readAllBytes());
                timer.cancel();
            }
            if (isEnded) { // a virtual thread may read from a socket that was closed while it waited
                throw new IOException("the attempt was ended");
            }
        }

        BackendAnswer answer() {
            return requireNonNull(answer);
        }

        InputStream body() {
            return body;
        }

        @Override
        public void close() {
            timer.cancel();
            Future<?> sent = sending;
            boolean isComplete = wire != null && wire.isEnded() && !isEnded;
            if (isComplete
                    && sent != null
                    && sent.state() == Future.State.SUCCESS
                    && answer().isPersistent()
                    && connection.isQuiet(false)) {
                keep(connection);
            } else {
                discard(connection);
            }
        }
    }

    private synchronized @Nullable BackendConnection take(String authority) {
        Deque<Idle> kept = idle.getOrDefault(authority, new ArrayDeque<>());
        while (!kept.isEmpty()) {
            Idle last = kept.removeLast();
            long nanos = time.nanoTime() - last.since();
            if (nanos < LONGEST_IDLE.toNanos() && last.connection().isQuiet(nanos > SHORT_IDLE.toNanos())) {
                return last.connection();
            }
            discard(last.connection());
        }
        return null;
    }

    private synchronized void keep(BackendConnection connection) {
        Deque<Idle> kept = idle.computeIfAbsent(connection.authority(), key -> new ArrayDeque<>());
        while (!kept.isEmpty() && time.nanoTime() - kept.getFirst().since() >= LONGEST_IDLE.toNanos()) {
            discard(kept.removeFirst().connection());
        }
        kept.addLast(new Idle(connection, time.nanoTime()));
    }

    private synchronized void discard(BackendConnection connection) {
        open.remove(connection);
        connection.close();
    }

    /** The number of connections, idle ones included. */
    synchronized int connections() {
        return open.size();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        open.forEach(BackendConnection::close);
        open.clear();
        idle.clear();
    }
}
