package dev.poolkeeper.app.config;

import dev.poolkeeper.azure.http.RateLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the cloud provider's keys about our own limits amount to. They count where {@code cloudProviderRateLimit} is
 * true.
 *
 * @param reads our limit on reads; null: none
 * @param writes our limit on writes; null: none
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
