package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.ports.ArmName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Common handling of writes: ETags, operations in progress, and the response to an accepted write. */
final class Writes {

    private final ArmState state;

    Writes(ArmState state) {
        this.state = state;
    }

    /** The failure of an operation caused by a fault. */
    record Ending(HttpsFault.Ending how, @Nullable String code) {}

    /** The error response to a write to this load balancer or pool, checked before its body; null if there is none. */
    @Nullable
    SentAnswer refuse(ReceivedCall call, ArmName loadBalancer, String id, @Nullable String currentEtag) {
        Optional<RememberedOperation> running = state.operations.runningOn(loadBalancer);
        if (running.isPresent()) {
            RememberedOperation operation = running.get();
            long seconds = Math.max(
                    1,
                    Duration.between(state.now(), operation.endsAt)
                            .plusMillis(999)
                            .toSeconds());
            switch (state.settings.concurrentWrites) {
                case REFUSE_409 -> {
                    return Errors.anotherOperation(operationUri(call, operation, "operations"));
                }
                case REFUSE_429 -> {
                    return Errors.retryable(operation.kind, operation.id, id, seconds);
                }
                case SUPERSEDE, SUPERSEDE_AND_KEEP -> {
                    // decided by the ETag
                }
            }
        }
        return Etags.refuse(call, id, currentEtag);
    }

    /** Cancels the operation in progress on the load balancer. */
    void supersede(ArmName loadBalancer, String laterKind) {
        boolean undo = state.settings.concurrentWrites != ConcurrentWrites.SUPERSEDE_AND_KEEP;
        state.operations
                .runningOn(loadBalancer)
                .ifPresent(operation -> state.operations.supersede(operation, laterKind, state.now(), undo));
    }

    RememberedOperation start(
            String kind, ArmName loadBalancer, @Nullable ArmName pool, ReceivedCall call, @Nullable Ending ending) {
        Instant now = state.now();
        RememberedOperation operation =
                state.operations.start(kind, loadBalancer, pool, now, state.settings.operationDuration);
        if (ending != null && ending.how() == HttpsFault.Ending.FAILED) {
            operation.ending = RememberedOperation.FAILED;
            operation.error = Errors.body(
                    ending.code() == null ? "InternalServerError" : ending.code(), "An error occurred.", List.of());
        } else if (ending != null) {
            operation.ending = RememberedOperation.CANCELED;
            operation.error = ending.code() == null
                    ? Operations.canceled("Operation " + kind + " (" + operation.id
                            + ") was canceled and superseded by operation PutLoadBalancerOperation ("
                            + state.ids.next() + ").")
                    : Errors.body(ending.code(), "Operation was canceled.", List.of());
        }
        return operation;
    }

    /** Starts an operation that completes immediately, but is still linked in the response. */
    RememberedOperation startFinished(String kind, ArmName loadBalancer, @Nullable ArmName pool, ReceivedCall call) {
        RememberedOperation operation = state.operations.start(kind, loadBalancer, pool, state.now(), Duration.ZERO);
        state.operations.settle(state.now());
        return operation;
    }

    /** Adds the links to the operation of an accepted write; {@code Location} only for deletes, as in Azure. */
    SentAnswer accepted(SentAnswer answer, ReceivedCall call, RememberedOperation operation) {
        SentAnswer accepted = answer.header("Azure-AsyncOperation", operationUri(call, operation, "operations"))
                .header("Azure-AsyncNotification", "Enabled");
        if (operation.isDelete()) {
            accepted = accepted.header("Location", operationUri(call, operation, "operationResults"));
        }
        return withRetryAfter(accepted);
    }

    SentAnswer withRetryAfter(SentAnswer answer) {
        Duration retryAfter = state.settings.retryAfterOnPolls;
        return retryAfter == null ? answer : answer.header("Retry-After", Long.toString(retryAfter.toSeconds()));
    }

    String operationUri(ReceivedCall call, RememberedOperation operation, String collection) {
        String subscription = ((ArmPath.InSubscription) ArmPath.parse(call.rawPath())).subscription();
        return call.base() + "/subscriptions/" + subscription + "/providers/Microsoft.Network/locations/"
                + state.settings.location + "/" + collection + "/" + operation.id + "?api-version="
                + call.apiVersion() + "&t=t&c=c&s=s&h=h";
    }
}
