package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.ports.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;

/** Sends one attempt and never retries by itself. Thread-safe. */
final class BackendClient implements AutoCloseable {

    /**
     * In bytes: a response up to this length is read completely before it is judged, so that a broken one can be
     * retried.
     */
    static final int READ_WHOLE = 64 << 10;

    static {
        // The JDK's client supports these only for the whole process, and only before its first use.
        set("jdk.httpclient.redirects.retrylimit", "1"); // no retry on a stale connection
        set("jdk.httpclient.disableRetryConnect", "true");
        set("jdk.httpclient.keepalive.timeout", "4"); // in seconds; idle backends close after 5 or more
        set("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    private final HttpClient client;
    private final Time time;

    /** @param executor runs the client's internal tasks */
    BackendClient(ExecutorService executor, Time time) {
        this.time = time;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .executor(executor)
                .build();
    }

    /**
     * A response.
     *
     * @param response its head
     * @param body all of it if it is small, else a stream
     * @param length of the body in bytes if known
     * @param timer closes the body at the timeout
     */
    record Answer(HttpResponse<InputStream> response, InputStream body, OptionalLong length, Time.Cancellable timer)
            implements AutoCloseable {

        int status() {
            return response.statusCode();
        }

        /** Closing a response before its end closes its connection. */
        @Override
        public void close() throws IOException {
            timer.cancel();
            body.close();
        }
    }

    /**
     * Sends a request.
     *
     * @param limit the timeout of the response including its body; zero or negative for none
     * @throws HttpTimeoutException if the response is not complete in time
     * @throws ConnectException if there is no connection
     * @throws IOException if the connection breaks
     */
    Answer send(HttpRequest request, Duration limit) throws IOException, InterruptedException {
        Attempt attempt = new Attempt(client.sendAsync(request, BackendClient::reading));
        Time.Cancellable timer = limit.isPositive() ? time.schedule(limit, attempt::end) : () -> {};
        boolean isToCome = false;
        try {
            HttpResponse<InputStream> response = attempt.response();
            OptionalLong length = lengthOf(response, request.method());
            isToCome = length.isEmpty() || length.getAsLong() > READ_WHOLE;
            return new Answer(response, response.body(), length, timer);
        } catch (IOException e) {
            throw attempt.isEnded() ? timeout(e) : e;
        } finally {
            if (!isToCome) {
                timer.cancel();
            }
        }
    }

    /** A small body is read completely; the response is returned only after that. */
    private static BodySubscriber<InputStream> reading(ResponseInfo answer) {
        if (!AnswerFraming.isClear(answer.headers())) {
            return new AnswerFraming.Refused();
        }
        OptionalLong length = answer.headers().firstValueAsLong("content-length");
        return length.isPresent() && length.getAsLong() <= READ_WHOLE
                ? BodySubscribers.mapping(BodySubscribers.ofByteArray(), ByteArrayInputStream::new)
                : BodySubscribers.ofInputStream();
    }

    private static IOException timeout(IOException cause) {
        return (IOException) new HttpTimeoutException("the response was not complete in time").initCause(cause);
    }

    /** An attempt in progress, which another thread may end. Thread-safe. */
    private static final class Attempt {

        private final CompletableFuture<HttpResponse<InputStream>> pending;
        private volatile boolean isEnded;

        Attempt(CompletableFuture<HttpResponse<InputStream>> pending) {
            this.pending = pending;
        }

        boolean isEnded() {
            return isEnded;
        }

        /** The thread that waits for the response, or reads it, gets an exception. */
        void end() {
            isEnded = true;
            if (!pending.cancel(true)) {
                CompletableFuture<Void> unused = pending.thenAccept(response -> closeQuietly(response.body()));
            }
        }

        HttpResponse<InputStream> response() throws IOException, InterruptedException {
            try {
                return pending.get();
            } catch (CancellationException e) {
                throw new IOException("the attempt was ended", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
            } catch (InterruptedException e) {
                pending.cancel(true);
                throw e;
            }
        }
    }

    private static OptionalLong lengthOf(HttpResponse<InputStream> response, String method) {
        int status = response.statusCode();
        return method.equals("HEAD") || status == 204 || status == 304
                ? OptionalLong.of(0)
                : response.headers().firstValueAsLong("content-length");
    }

    private static void closeQuietly(InputStream body) {
        try {
            body.close();
        } catch (IOException e) {
            // its reader notices that it is closed
        }
    }

    private static void set(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
