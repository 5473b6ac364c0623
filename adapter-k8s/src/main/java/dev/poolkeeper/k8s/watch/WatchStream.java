package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.k8s.client.ApiFailure;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP watch, line by line, on Fabric8's HTTP client and with its authentication. Unlike Fabric8's watches it never
 * reconnects by itself, and it reports the HTTP status and message of a refusal: after 410 a list is needed, after
 * other statuses it is not.
 */
@SuppressWarnings("FutureReturnValueIgnored") // listener.ended covers it
final class WatchStream {

    /** Receives the events of a stream; never called by two threads at once. */
    interface Listener {
        /** The API server has accepted the watch. */
        void opened(WatchStream stream);

        void line(WatchStream stream, String line);

        /**
         * The last call.
         *
         * @param status the HTTP status; 0 where there was no answer
         * @param error why it ended, null if the API server closed it normally
         */
        void ended(WatchStream stream, int status, @Nullable Throwable error);
    }

    /** Far more than the API server accepts as one object. */
    private static final int LONGEST_LINE = 16 << 20;

    private final HttpClient http;
    private final HttpRequest request;
    private final Listener listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile @Nullable CompletableFuture<HttpResponse<AsyncBody>> response;
    private volatile boolean cancelled;
    /** The body is the text of a refusal, not events. */
    private volatile boolean refused;

    WatchStream(KubernetesClient client, String pathAndQuery, Listener listener) {
        this.http = client.getHttpClient();
        this.request = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + pathAndQuery)
                .forStreaming()
                .build();
        this.listener = listener;
    }

    /** Sends the request. The listener may be called before this returns. Must be called only once. */
    void start() {
        try {
            CompletableFuture<HttpResponse<AsyncBody>> sent = http.consumeBytes(request, this::received);
            response = sent;
            sent.whenComplete(this::answered);
        } catch (RuntimeException e) {
            listener.ended(this, 0, e);
        }
    }

    private void answered(@Nullable HttpResponse<AsyncBody> answer, @Nullable Throwable error) {
        if (answer == null) {
            listener.ended(this, 0, error);
        } else if (answer.body() == null) { // the JDK's client returns none if the proxy answers CONNECT with 407
            listener.ended(this, 0, new IllegalStateException(ApiFailure.PROXY_ASKS));
        } else if (!answer.isSuccessful()) {
            refused = true;
            answer.body()
                    .done()
                    .whenComplete((nothing, failure) -> listener.ended(this, answer.code(), refusal(answer.code())));
            answer.body().consume();
        } else {
            listener.opened(this);
            answer.body().done().whenComplete((nothing, failure) -> listener.ended(this, answer.code(), failure));
            if (cancelled) {
                answer.body().cancel();
            } else {
                answer.body().consume();
            }
        }
    }

    private IllegalStateException refusal(int code) {
        String message = ApiFailure.refusal(line.toString(StandardCharsets.UTF_8))
                .map(Status::getMessage)
                .map(text -> ": " + text)
                .orElse("");
        return new IllegalStateException("HTTP " + code + message);
    }

    private void received(List<ByteBuffer> buffers, AsyncBody body) {
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            int from = 0;
            while (from < bytes.length) {
                int end = lineEnd(bytes, from);
                if (line.size() + end - from > LONGEST_LINE) {
                    listener.ended(
                            this, 0, new IllegalStateException("a line of more than " + LONGEST_LINE + " bytes"));
                    body.cancel();
                    return;
                }
                line.write(bytes, from, end - from);
                if (end < bytes.length) {
                    lineEnded();
                }
                from = end + 1;
            }
        }
        body.consume();
    }

    /** The index of the next line break, or the length. A refusal is read as one text, line breaks included. */
    private int lineEnd(byte[] bytes, int from) {
        int end = from;
        while (end < bytes.length && (refused || bytes[end] != '\n')) {
            end++;
        }
        return end;
    }

    private void lineEnded() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (!text.isBlank()) {
            listener.line(this, text);
        }
    }

    /** Cancels the stream. The listener may still be called. */
    void cancel() {
        cancelled = true;
        CompletableFuture<HttpResponse<AsyncBody>> sent = response;
        if (sent != null) {
            sent.thenAccept(answer -> answer.body().cancel());
            sent.cancel(true);
        }
    }
}
