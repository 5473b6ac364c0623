package dev.poolkeeper.azure;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One attempt at an exchange while it runs; the pipeline's policies note here what the SDK does not pass on. */
final class Attempt {

    /** Under this name the pipeline's context holds the attempt. */
    static final String KEY = "dev.poolkeeper.azure.attempt";

    private final ArmRequest request;
    private final Map<String, String> headers;
    private volatile @Nullable ArmAnswer answer;
    private volatile @Nullable Instant retryAfter;

    /** @param headers what the request carries besides the SDK's headers and ours */
    Attempt(ArmRequest request, Map<String, String> headers) {
        this.request = request;
        this.headers = headers;
    }

    Map<String, String> headers() {
        return headers;
    }

    ArmRequest request() {
        return request;
    }

    void answered(ArmAnswer newAnswer) {
        answer = newAnswer;
    }

    void throttledUntil(@Nullable Instant instant) {
        retryAfter = instant;
    }

    @Nullable
    ArmAnswer answer() {
        return answer;
    }

    @Nullable
    Instant retryAfter() {
        return retryAfter;
    }
}
