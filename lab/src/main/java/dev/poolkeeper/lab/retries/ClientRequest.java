package dev.poolkeeper.lab.retries;

/** A client's request, with the number of attempts that reach the backend. Used by one thread. */
final class ClientRequest {

    private final long begun;
    private final int route;
    private final Tally tally;
    private int attempts;

    /**
     * @param begun its start, in nanoseconds since the start of the run
     * @param route the index of its route; 0 if the scenario has none
     * @param tally counts its results
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

    /** The attempts that reached the last backend. */
    int attempts() {
        return attempts;
    }

    void attempted() {
        attempts++;
    }
}
