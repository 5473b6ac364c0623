package dev.poolkeeper.azure.http;

/** Size limits of responses, so that a faulty server or proxy cannot exhaust the memory. */
enum SizeLimit {
    /** A pool, an operation, a token, an error, or one load balancer of a list. */
    RESOURCE(16),
    /** A list with all its pages, each of which is read as a stream. */
    LIST(256);

    private static final long MEBIBYTE = 1L << 20;

    private final long mebibytes;

    SizeLimit(long mebibytes) {
        this.mebibytes = mebibytes;
    }

    long bytes() {
        return mebibytes * MEBIBYTE;
    }

    /** The message for a response beyond the limit. */
    String exceeded() {
        return "it is larger than the limit of %s MiB".formatted(mebibytes);
    }
}
