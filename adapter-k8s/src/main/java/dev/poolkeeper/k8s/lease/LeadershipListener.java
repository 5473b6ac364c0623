package dev.poolkeeper.k8s.lease;

import java.util.function.BooleanSupplier;

/**
 * Is called when leadership begins and ends, to start and stop work and for logs. The calls come when a thread gets to
 * them; what guards a request is the term that {@link #started} hands over. Implementations return quickly.
 */
public interface LeadershipListener {

    /**
     * A term as leader began.
     *
     * @param isCurrent whether this term is still ours, by the monotonic clock at the moment of asking; once false it
     *     stays false, also when this process leads again. Thread-safe, never blocks
     */
    void started(BooleanSupplier isCurrent);

    /** The term is over. Not called for leadership that was given up with {@link LeaderElection#release}. */
    void lost();

    /** Does nothing. */
    LeadershipListener NONE = new LeadershipListener() {
        @Override
        public void started(BooleanSupplier isCurrent) {}

        @Override
        public void lost() {}
    };
}
