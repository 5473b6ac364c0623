package dev.poolkeeper.azure.http;

/**
 * How many requests of one kind we allow ourselves, so that other tools of the subscription find some of the quota
 * left: a token bucket.
 *
 * @param perSecond {@code cloudProviderRateLimitQPS} or {@code …QPSWrite}: tokens that come back a second
 * @param bucket {@code cloudProviderRateLimitBucket} or {@code …BucketWrite}: how many there can be
 */
public record RateLimit(double perSecond, int bucket) {

    /** @throws IllegalArgumentException unless both are positive and finite */
    public RateLimit {
        if (!(perSecond > 0 && perSecond <= 1_000_000)) { // written so that NaN fails too
            throw new IllegalArgumentException(
                    "cloudProviderRateLimitQPS is %s, must be more than 0 and at most 1000000".formatted(perSecond));
        }
        if (bucket < 1) {
            throw new IllegalArgumentException(
                    "cloudProviderRateLimitBucket is %d, must be at least 1".formatted(bucket));
        }
    }
}
