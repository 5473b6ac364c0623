package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.engine.Difference.Reason;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.ResourceLock;
import java.util.Optional;

/** The cause of a {@link Difference}, with its values. */
public sealed interface Why {

    /** The kind of the cause. */
    default Reason reason() {
        return switch (this) {
            case Plain plain -> plain.reason;
            case OnHold hold -> Reason.HELD;
            case LockHeld lock -> Reason.LOCK_HELD;
            case Parked parked -> Reason.PARKED;
            case Retrying retrying -> Reason.RETRYING;
            case GaveUp gaveUp -> Reason.FAILED;
            case NotCompared not -> Reason.NOT_COMPARED;
        };
    }

    /** A cause without values. */
    enum Plain implements Why {
        INCOMPLETE(Reason.INCOMPLETE),
        NOT_LEADING(Reason.NOT_LEADING),
        NOT_LISTED(Reason.NOT_LISTED),
        IN_PROGRESS(Reason.IN_PROGRESS),
        QUEUED(Reason.QUEUED),
        /** Queued, and the quota is nearly exhausted. */
        SHORT_OF_QUOTA(Reason.QUEUED);

        private final Reason reason;

        Plain(Reason reason) {
            this.reason = reason;
        }
    }

    /** A guard holds the update. */
    record OnHold(HoldCause held) implements Why {}

    /** @param holder the other writer; empty if it is not known */
    record LockHeld(Optional<ResourceLock.Holder> holder) implements Why {}

    /** @param last why the last call failed; empty if it did not */
    record Parked(Optional<Failure> last) implements Why {

        /** Whether nothing was sent: the gate is closed, or our own rate limit is exhausted. */
        public boolean isUnsent() {
            return last.filter(failure -> failure instanceof Failure.Throttled throttled && !throttled.sent())
                    .isPresent();
        }
    }

    /** @param last why the last call failed */
    record Retrying(Failure last) implements Why {}

    /** @param last why the last attempt failed */
    record GaveUp(Failure last) implements Why {}

    /**
     * @param last why the last call failed; empty if it did not
     * @param provisioning what the pool was last seen to be in; empty if it was never seen
     * @param isChangedByAnother whether another writer has changed what was written
     */
    record NotCompared(Optional<Failure> last, Optional<ProvisioningState> provisioning, boolean isChangedByAnother)
            implements Why {}
}
