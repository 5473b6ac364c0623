package dev.poolkeeper.lab.retries;

/** A request as its client knows it, with what it comes to at the backend. Used by one thread. */
final class ClientRequest {

    private final long begun;
    private int attempts;

    /** @param begun when, in nanoseconds since the start of the run */
    ClientRequest(long begun) {
        this.begun = begun;
    }

    long begun() {
        return begun;
    }

    /** Attempts that the backend at the end got. */
    int attempts() {
        return attempts;
    }

    void attempted() {
        attempts++;
    }
}
