package dev.poolkeeper.app.config;

import dev.poolkeeper.azure.RateLimit;
import dev.poolkeeper.input.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The cloud provider's keys about our own limits. They count where {@code cloudProviderRateLimit} is true; there 0 is
 * the default, and writes have the limit of reads where they have none of their own.
 *
 * @param reads our limit on reads; null: none
 * @param writes our limit on writes; null: none
 */
record RateLimitKeys(@Nullable RateLimit reads, @Nullable RateLimit writes) {

    private static final double DEFAULT_QPS = 1;
    private static final int DEFAULT_BUCKET = 5;
    private static final double HIGHEST_QPS = 1_000_000;

    static RateLimitKeys read(JsonObject keys, EffectiveValues values) {
        boolean isOn = values.truth(Keys.RATE_LIMIT);
        double qps = qps(keys, Keys.RATE_LIMIT_QPS, DEFAULT_QPS);
        int bucket = bucket(keys, Keys.RATE_LIMIT_BUCKET, DEFAULT_BUCKET);
        double qpsWrite = qps(keys, Keys.RATE_LIMIT_QPS_WRITE, qps);
        int bucketWrite = bucket(keys, Keys.RATE_LIMIT_BUCKET_WRITE, bucket);
        note(values, isOn, Keys.RATE_LIMIT_QPS, qps);
        note(values, isOn, Keys.RATE_LIMIT_BUCKET, bucket);
        note(values, isOn, Keys.RATE_LIMIT_QPS_WRITE, qpsWrite);
        note(values, isOn, Keys.RATE_LIMIT_BUCKET_WRITE, bucketWrite);
        return isOn
                ? new RateLimitKeys(new RateLimit(qps, bucket), new RateLimit(qpsWrite, bucketWrite))
                : new RateLimitKeys(null, null);
    }

    private static double qps(JsonObject keys, String key, double fallback) {
        double number = keys.number(key).orElse(0);
        if (!(number >= 0 && number <= HIGHEST_QPS)) { // written so that NaN fails too
            keys.fault(key, "found %s, must be a number from 0 to %.0f".formatted(number, HIGHEST_QPS));
            return fallback;
        }
        return number == 0 ? fallback : number;
    }

    private static int bucket(JsonObject keys, String key, int fallback) {
        int number = (int) keys.wholeNumber(key, 0, Integer.MAX_VALUE).orElse(0);
        return number == 0 ? fallback : number;
    }

    private static void note(EffectiveValues values, boolean isOn, String key, Number value) {
        if (isOn) {
            values.add(key, value, values.origin(key));
        } else {
            values.add(key, null, values.origin(key, Keys.RATE_LIMIT + " is not true"));
        }
    }
}
