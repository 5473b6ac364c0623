package dev.poolkeeper.core.pool;

import dev.poolkeeper.core.cluster.Unplaced;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The reason why a guard holds an update back, with its values. */
public sealed interface HoldCause {

    /** The kind of the cause. */
    default By by() {
        return switch (this) {
            case Paused paused -> By.PAUSE;
            case ServicePaused paused -> By.SERVICE_PAUSE;
            case Forbidden forbidden -> By.FORBIDDEN;
            case ChangedBack back -> By.DRIFT;
            case OthersMissing missing -> By.SHARED_POOL;
            case Braked braked -> By.SAFETY_BRAKE;
            case Wave wave -> By.REMOVAL_WAVE;
            case OverBudget over -> By.RETRY_BUDGET;
            case Ambiguous ambiguous -> By.AMBIGUOUS;
            case FamilyTaken taken -> By.AMBIGUOUS;
        };
    }

    /** When the hold ends if nothing else happens; empty if only an event ends it. */
    default Optional<Instant> until() {
        return switch (this) {
            case Forbidden forbidden -> Optional.of(forbidden.end());
            case ChangedBack back -> Optional.of(back.end());
            case Braked braked -> Optional.of(braked.end());
            case Wave wave -> wave.end();
            case Paused paused -> Optional.empty();
            case ServicePaused paused -> Optional.empty();
            case OthersMissing missing -> Optional.empty();
            case OverBudget over -> Optional.empty();
            case Ambiguous ambiguous -> Optional.empty();
            case FamilyTaken taken -> Optional.empty();
        };
    }

    /** All writes are paused by the configuration. */
    record Paused() implements HoldCause {}

    /** An annotation of this Service pauses its changes. */
    record ServicePaused(ServiceName service) implements HoldCause {}

    /**
     * ARM answered 403 for the pool.
     *
     * @param answer what it answered
     * @param end when the pool is tried again
     */
    record Forbidden(PoolKey pool, Failure answer, Instant end) implements HoldCause {}

    /**
     * Another writer keeps changing the pool back.
     *
     * @param times how often it did
     * @param end when the pool is written again
     */
    record ChangedBack(int times, Instant end) implements HoldCause {}

    /** The addresses of another Service in the shared pool have not been added yet. */
    record OthersMissing() implements HoldCause {}

    /**
     * Too many addresses would be removed at once.
     *
     * @param removal the id of the held removal
     * @param loss why it is held
     * @param hold how long it is held
     * @param end when it is let through
     */
    record Braked(String removal, Loss loss, Duration hold, Instant end) implements HoldCause {}

    /**
     * Many addresses are to be removed; waiting to see whether more follow.
     *
     * @param end when it has waited long enough; empty if that is not known
     */
    record Wave(Optional<Instant> end) implements HoldCause {}

    /** The retry budget refused a retry. */
    record OverBudget() implements HoldCause {}

    /** Several load balancers have a pool of that name. */
    record Ambiguous(Unplaced.AmbiguousPool pool) implements HoldCause {}

    /** An older Service uses the pool for the other IP family. */
    record FamilyTaken(Unplaced.FamilyClash clash) implements HoldCause {}

    /** The kinds of causes. */
    enum By {
        /** All writes are paused by the configuration. */
        PAUSE,
        /** An annotation of the Service pauses its changes. */
        SERVICE_PAUSE,
        /** ARM answered 403 for the pool. */
        FORBIDDEN,
        /** Another writer keeps changing the pool back. */
        DRIFT,
        /** The wanted addresses of another Service in the shared pool are not known yet. */
        SHARED_POOL,
        /** Too many addresses would be removed at once. */
        SAFETY_BRAKE,
        /** Many addresses are to be removed; waiting to see whether more follow. */
        REMOVAL_WAVE,
        /** The retry budget refused a retry. */
        RETRY_BUDGET,
        /** The Service has no pool of its own: several load balancers have it, or an older Service. */
        AMBIGUOUS;

        /** Whether it holds a part of what is wanted, so that updates go on without it. */
        public boolean isOfPart() {
            return this == SERVICE_PAUSE || this == SAFETY_BRAKE || this == REMOVAL_WAVE;
        }

        /** Whether no guard reports its end: it ends when nothing holds the pool. */
        public boolean endsWithTheHold() {
            return this == SERVICE_PAUSE || this == RETRY_BUDGET;
        }
    }
}
