package dev.poolkeeper.azure.http;

/**
 * Our own limit on requests of one kind, which leaves some of the quota to other tools in the subscription: a token
 * bucket.
 *
 * @param perSecond {@code cloudProviderRateLimitQPS} or {@code …QPSWrite}: tokens added per second
 * @param bucket {@code cloudProviderRateLimitBucket} or {@code …BucketWrite}: the maximum number of tokens
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
                    "cloudProviderRateLimitBucket is %s, must be at least 1".formatted(bucket));
        }
    }
}
