package dev.poolkeeper.azure.http;

/** The largest answers that are read. Whatever answers in ARM's place must not fill the memory. */
enum SizeLimit {
    /** A pool, an operation, a token, an error, or one load balancer of a list. */
    RESOURCE(16),
    /** A page of a list, which is read as a stream. */
    PAGE(256);

    private static final long MEBIBYTE = 1L << 20;

    private final long mebibytes;

    SizeLimit(long mebibytes) {
        this.mebibytes = mebibytes;
    }

    long bytes() {
        return mebibytes * MEBIBYTE;
    }

    /** What is wrong with an answer beyond it. */
    String exceeded() {
        return "it is larger than %d MiB, the most that is read".formatted(mebibytes);
    }
}
