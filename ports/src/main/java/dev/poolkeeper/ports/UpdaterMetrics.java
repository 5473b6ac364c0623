package dev.poolkeeper.ports;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Observes the updates of pools. Implementations are thread-safe and never block. */
public interface UpdaterMetrics {

    /** The update of a pool starts, before its read. */
    Update started(PoolKey pool);

    /** A retry of an update stays queued because the retry budget refused it. Nothing is sent. */
    default void retryRefused(PoolKey pool) {}

    /**
     * A pool now holds the wanted addresses after a change in the cluster.
     *
     * @param took the time since the change; greater than zero
     */
    default void changeWritten(PoolKey pool, Duration took) {}

    /**
     * One update of one pool. Each outcome is counted once per update (design document, <em>Metrics</em>); both failed
     * and retried if some operations were dropped and others requeued.
     */
    interface Update {

        /** The {@link CallContext#trace} of the update's calls; null for none. */
        default @Nullable Object trace() {
            return null;
        }

        /**
         * The pool is about to be written.
         *
         * @param held the addresses it holds
         * @param planned the addresses to write
         */
        default void writing(AddressSet held, AddressSet planned) {}

        /** A read or a write failed. */
        default void callFailed(Failure failure) {}

        /** The update succeeded, which is reported on the Services. */
        void succeeded();

        /** Operations failed permanently, which is reported on the Services. */
        void failed();

        /** The attempt failed and operations were requeued. */
        void retried(Failure cause);

        /** The update ended; called after its outcome was counted. */
        default void ended() {}
    }

    /** Records nothing. */
    UpdaterMetrics NONE = pool -> new Update() {
        @Override
        public void succeeded() {}

        @Override
        public void failed() {}

        @Override
        public void retried(Failure cause) {}
    };
}
