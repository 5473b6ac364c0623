package dev.poolkeeper.k8s.lease;

/**
 * Hears of leadership, for logs and to begin work. What guards a request is {@link LeaderElection#isLeader} alone:
 * these calls come when a thread gets to it. Implementations return quickly.
 */
public interface LeadershipListener {

    void started();

    /** Not called for leadership that was given up with {@link LeaderElection#release}. */
    void lost();

    /** Hears nothing. */
    LeadershipListener NONE = new LeadershipListener() {
        @Override
        public void started() {}

        @Override
        public void lost() {}
    };
}
