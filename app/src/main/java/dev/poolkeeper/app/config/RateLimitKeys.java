package dev.poolkeeper.app.config;

import dev.poolkeeper.azure.http.RateLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cloud provider's keys of our own rate limits. They are used only if {@code cloudProviderRateLimit} is true.
 *
 * @param reads our limit on reads; null for none
 * @param writes our limit on writes; null for none
 */
record RateLimitKeys(@Nullable RateLimit reads, @Nullable RateLimit writes) {

    static RateLimitKeys read(Settings settings) {
        if (settings.get(Keys.RATE_LIMIT)) {
            return new RateLimitKeys(
                    new RateLimit(settings.get(Keys.RATE_LIMIT_QPS), settings.get(Keys.RATE_LIMIT_BUCKET)),
                    new RateLimit(settings.get(Keys.RATE_LIMIT_QPS_WRITE), settings.get(Keys.RATE_LIMIT_BUCKET_WRITE)));
        }
        List.of(Keys.RATE_LIMIT_QPS, Keys.RATE_LIMIT_BUCKET, Keys.RATE_LIMIT_QPS_WRITE, Keys.RATE_LIMIT_BUCKET_WRITE)
                .forEach(key -> settings.disable(key, Keys.RATE_LIMIT.name() + " is not true"));
        return new RateLimitKeys(null, null);
    }
}
