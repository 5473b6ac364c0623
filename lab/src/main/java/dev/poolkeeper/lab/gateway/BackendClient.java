package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.ports.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;

/** Sends one attempt and repeats nothing by itself. Thread-safe. */
final class BackendClient implements AutoCloseable {

    /** In bytes: an answer of this length or less is read before it is judged, so that a broken one may be retried. */
    static final int READ_WHOLE = 64 << 10;

    static {
        // The JDK's client knows these for the whole process only, and only before its first use.
        set("jdk.httpclient.redirects.retrylimit", "1"); // no repetition on a connection that has become stale
        set("jdk.httpclient.disableRetryConnect", "true");
        set("jdk.httpclient.allowRestrictedHeaders", "host");
    }

    private final HttpClient client;
    private final Time time;

    /** @param executor what the client's own work runs on */
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
     * An answer.
     *
     * @param response its head
     * @param body all of it where it is small, else what is still to come
     * @param length of the body in bytes where it is known
     * @param timer closes the body when its time is up
     */
    record Answer(HttpResponse<InputStream> response, InputStream body, OptionalLong length, Time.Cancellable timer)
            implements AutoCloseable {

        int status() {
            return response.statusCode();
        }

        /** An answer that is not read to its end costs its connection. */
        @Override
        public void close() throws IOException {
            timer.cancel();
            body.close();
        }
    }

    /**
     * Sends a request.
     *
     * @param limit how long the answer may take, its body included; not positive for as long as it likes
     * @throws HttpTimeoutException if there is no whole answer in time
     * @throws IOException if there is none for another reason
     */
    Answer send(HttpRequest.Builder request, Duration limit) throws IOException, InterruptedException {
        long began = time.nanoTime();
        boolean isLimited = limit.isPositive();
        HttpRequest attempt = (isLimited ? request.copy().timeout(limit) : request.copy()).build();
        HttpResponse<InputStream> response = client.send(attempt, BodyHandlers.ofInputStream());
        InputStream body = response.body();
        Duration left = limit.minusNanos(time.nanoTime() - began);
        Time.Cancellable timer = isLimited ? time.schedule(left, () -> closeQuietly(body)) : () -> {};
        OptionalLong length = lengthOf(response, attempt.method());
        if (length.isEmpty() || length.getAsLong() > READ_WHOLE) {
            return new Answer(response, body, length, timer);
        }
        try {
            byte[] whole = body.readAllBytes();
            return new Answer(response, new ByteArrayInputStream(whole), OptionalLong.of(whole.length), timer);
        } catch (IOException e) {
            if (isLimited && time.nanoTime() - began >= limit.toNanos()) {
                throw new HttpTimeoutException("the answer did not end in time");
            }
            throw e;
        } finally {
            timer.cancel();
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
            // its reader sees that it is closed
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
