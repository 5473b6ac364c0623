package dev.poolkeeper.lab.retries;

/** A request as its client knows it, with what it comes to at the backend. Used by one thread. */
final class ClientRequest {

    private final long begun;
    private final int route;
    private final Tally tally;
    private int attempts;

    /**
     * @param begun when, in nanoseconds since the start of the run
     * @param route the index of its route; 0 where the scenario has none
     * @param tally what counts it
     */
    ClientRequest(long begun, int route, Tally tally) {
        this.begun = begun;
        this.route = route;
        this.tally = tally;
    }

    long begun() {
        return begun;
    }

    int route() {
        return route;
    }

    Tally tally() {
        return tally;
    }

    /** Attempts that the backend at the end got. */
    int attempts() {
        return attempts;
    }

    void attempted() {
        attempts++;
    }
}
