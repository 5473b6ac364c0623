package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.ArmName;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The long-running operations: at most one at a time is in progress on a load balancer and its pools. Guarded by the
 * lock of the cloud's memory.
 */
final class Operations {

    /** More than any client polls; the oldest are removed first. */
    private static final int MOST_REMEMBERED = 20_000;

    private final Ids ids;
    private final Map<String, RememberedOperation> byId = new LinkedHashMap<>();
    private final Map<ArmName, RememberedOperation> running = new LinkedHashMap<>();

    Operations(Ids ids) {
        this.ids = ids;
    }

    /**
     * Starts an operation; without a duration it completes immediately. No other operation may be in progress there.
     */
    RememberedOperation start(
            String kind, ArmName loadBalancer, @Nullable ArmName pool, Instant now, Duration duration) {
        RememberedOperation operation =
                new RememberedOperation(ids.next(), kind, loadBalancer, pool, now, now.plus(duration));
        byId.put(operation.id, operation);
        if (byId.size() > MOST_REMEMBERED) {
            byId.remove(byId.keySet().iterator().next());
        }
        running.put(loadBalancer, operation);
        return operation;
    }

    /** Completes the operations whose time is over. */
    void settle(Instant now) {
        if (running.isEmpty()) {
            return;
        }
        List<RememberedOperation> over = running.values().stream()
                .filter(operation -> !operation.isRunning(now))
                .toList();
        for (RememberedOperation operation : over) {
            running.remove(operation.loadBalancer);
            if (operation.ending.equals(RememberedOperation.SUCCEEDED)) {
                operation.onSuccess.run();
            }
        }
    }

    /** The operation in progress on a load balancer or one of its pools. */
    Optional<RememberedOperation> runningOn(ArmName loadBalancer) {
        return Optional.ofNullable(running.get(loadBalancer));
    }

    /** Cancels an operation because another one supersedes it. */
    void supersede(RememberedOperation earlier, String laterKind, Instant now, boolean undo) {
        running.remove(earlier.loadBalancer);
        earlier.endsAt = now;
        earlier.ending = RememberedOperation.CANCELED;
        earlier.error = canceled("Operation " + earlier.kind + " (" + earlier.id
                + ") was canceled and superseded by operation " + laterKind + " (" + ids.next() + ").");
        if (undo) {
            earlier.undo.run();
        }
    }

    static ObjectNode canceled(String detail) {
        return Errors.body(
                "Canceled",
                "Operation was canceled.",
                List.of(Map.entry("CanceledAndSupersededDueToAnotherOperation", detail)));
    }

    Optional<RememberedOperation> byId(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    List<ArmOperation> all(Instant now) {
        return byId.values().stream().map(operation -> operation.shown(now)).toList();
    }
}
