package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.ArmName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The stored state of a long-running operation. Guarded by the lock of the cloud's memory. */
final class RememberedOperation {

    static final String SUCCEEDED = "Succeeded";
    static final String FAILED = "Failed";
    static final String CANCELED = "Canceled";

    final String id;
    final String kind;
    final ArmName loadBalancer;
    final @Nullable ArmName pool;
    final Instant startedAt;
    Instant endsAt;
    String ending = SUCCEEDED;

    @Nullable
    ObjectNode error;

    /** The changes made when it succeeds, beyond those made when it was accepted. */
    Runnable onSuccess = () -> {};

    /** Reverts the changes made when it was accepted. */
    Runnable undo = () -> {};

    RememberedOperation(
            String id, String kind, ArmName loadBalancer, @Nullable ArmName pool, Instant startedAt, Instant endsAt) {
        this.id = id;
        this.kind = kind;
        this.loadBalancer = loadBalancer;
        this.pool = pool;
        this.startedAt = startedAt;
        this.endsAt = endsAt;
    }

    boolean isDelete() {
        return kind.startsWith("Delete");
    }

    /** The {@code provisioningState} of its resources. */
    String provisioningState() {
        return isDelete() ? "Deleting" : "Updating";
    }

    boolean isRunning(Instant now) {
        return now.isBefore(endsAt);
    }

    String status(Instant now) {
        return isRunning(now) ? "InProgress" : ending;
    }

    ArmOperation shown(Instant now) {
        return new ArmOperation(
                id,
                kind,
                loadBalancer.toString(),
                pool == null ? null : pool.toString(),
                startedAt,
                endsAt,
                status(now),
                error == null || isRunning(now) ? null : error.toString());
    }
}
