package software.amazon.awssdk.retries.internal.circuitbreaker;

/** The token bucket of the AWS SDK's retry strategies, which its package keeps to itself. */
public final class AwsTokenBucket {

    private static final int CAPACITY = 500;
    private static final int COST = 5;

    private final TokenBucket bucket = new TokenBucket(CAPACITY);

    public Object succeeded() {
        return bucket.release(1);
    }

    public Object tryAcquire() {
        return bucket.tryAcquire(COST);
    }
}
