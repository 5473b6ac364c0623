package dev.poolkeeper.ports;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Observes the updates of pools. Implementations are thread-safe and never block. */
public interface UpdaterMetrics {

    /** The update of a pool begins: its read is next. */
    Update started(PoolKey pool);

    /** An update that was tried before stays queued because the retry budget refused. Nothing is sent. */
    default void retryRefused(PoolKey pool) {}

    /**
     * A pool holds what a change of the cluster made it want.
     *
     * @param took since the change; greater than zero
     */
    default void changeWritten(PoolKey pool, Duration took) {}

    /**
     * One update of one pool. What is counted is counted once an update (design document, <em>Metrics</em>); failed and
     * retried both, if operations were given up and others requeued.
     */
    interface Update {

        /** What the update's calls carry as {@link CallContext#trace}; null for nothing. */
        default @Nullable Object trace() {
            return null;
        }

        /**
         * The pool is about to be written.
         *
         * @param held what it holds
         * @param planned what it is to hold
         */
        default void writing(AddressSet held, AddressSet planned) {}

        /** A read or a write failed. */
        default void callFailed(Failure failure) {}

        /** It ended well, which is reported on the Services. */
        void succeeded();

        /** Operations were given up, which is reported on the Services. */
        void failed();

        /** The attempt failed and operations were requeued. */
        void retried(Failure cause);

        /** The update is over, after its outcome was counted. */
        default void ended() {}
    }

    /** Counts nothing. */
    UpdaterMetrics NONE = pool -> new Update() {
        @Override
        public void succeeded() {}

        @Override
        public void failed() {}

        @Override
        public void retried(Failure cause) {}
    };
}
