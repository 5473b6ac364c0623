package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.Term;

/**
 * Is called when leadership begins and ends, to start and stop work and for logs. The calls come when a thread gets to
 * them; what guards a request is the term that {@link #started} hands over. Implementations return quickly.
 */
public interface LeadershipListener {

    /**
     * A term as leader began.
     *
     * @param term current while it is ours, by the monotonic clock at the moment of asking; once it is not, it stays
     *     so, also when this process leads again
     */
    void started(Term term);

    /** The term is over. Not called for leadership that was given up with {@link LeaderElection#release}. */
    void lost();

    /** Does nothing. */
    LeadershipListener NONE = new LeadershipListener() {
        @Override
        public void started(Term term) {}

        @Override
        public void lost() {}
    };
}
