package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.Term;

/**
 * Is called when leadership starts and ends, to start and stop work and to log: one call at a time, {@link #started}
 * before {@link #lost} of each term. The calls may be delayed; guard requests with the term that is passed to
 * {@link #started}. Implementations return quickly: the Lease is not renewed during a call. If {@link #started} throws,
 * the term ends, and the next attempt begins another one.
 */
public interface LeadershipListener {

    /**
     * A term as leader started. Not called for a term that is over by then.
     *
     * @param term is current while this process holds it, by the monotonic clock at the time of the call; once over, it
     *     stays over, even if this process leads again
     */
    void started(Term term);

    /** The term that was last started is over. Not called after {@link LeaderElection#release}. */
    void lost();

    /** Does nothing. */
    LeadershipListener NONE = new LeadershipListener() {
        @Override
        public void started(Term term) {}

        @Override
        public void lost() {}
    };
}
