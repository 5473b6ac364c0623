package dev.poolkeeper.lab.gateway;

import java.io.InputStream;
import java.net.ProtocolException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.regex.Pattern;

/**
 * Checks that the end of a backend's response is unambiguous. The JDK's client takes the first of several lengths, and
 * a length instead of chunks, so that the rest would be read as the next response on the connection (RFC 9112, section
 * 6.3).
 */
final class AnswerFraming {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

    private AnswerFraming() {}

    static boolean isClear(HttpHeaders headers) {
        List<String> lengths = headers.allValues("content-length");
        List<String> encodings = headers.allValues("transfer-encoding");
        Set<String> different = new HashSet<>(lengths);
        return different.size() <= 1
                && different.stream().allMatch(length -> DIGITS.matcher(length).matches())
                && (encodings.isEmpty() || lengths.isEmpty() && isChunked(encodings));
    }

    private static boolean isChunked(List<String> encodings) {
        return encodings.size() == 1 && encodings.get(0).equalsIgnoreCase("chunked");
    }

    /** Fails without reading the body, which closes the connection. */
    static final class Refused implements BodySubscriber<InputStream> {

        private final CompletableFuture<InputStream> body =
                CompletableFuture.failedFuture(new ProtocolException("the end of the response is ambiguous"));

        @Override
        public CompletionStage<InputStream> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> item) {}

        @Override
        public void onError(Throwable throwable) {}

        @Override
        public void onComplete() {}
    }
}
