package dev.poolkeeper.ports;

/**
 * What the updater counts, once a group and tick (design document, <em>Metrics</em>). Implementations are thread-safe
 * and never block.
 */
public interface UpdaterMetrics {

    /** A group ended well and its Services were told. */
    void succeeded(PoolKey pool);

    /** Operations of a group were given up and their Services were told. */
    void failed(PoolKey pool);

    /** An attempt failed and operations of the group were requeued. No terminal outcome. */
    void retried(PoolKey pool);

    /** As above, with what failed. */
    default void retried(PoolKey pool, Failure cause) {
        retried(pool);
    }

    /** A group that was tried before stays queued because the retry budget refused. Nothing was sent. */
    default void retryRefused(PoolKey pool) {}

    /** What a tick does with a group is over, told after its outcome; on the thread that made the group's calls. */
    default void turnEnded(PoolKey pool) {}

    /** Counts nothing. */
    UpdaterMetrics NONE = new UpdaterMetrics() {
        @Override
        public void succeeded(PoolKey pool) {}

        @Override
        public void failed(PoolKey pool) {}

        @Override
        public void retried(PoolKey pool) {}
    };
}
