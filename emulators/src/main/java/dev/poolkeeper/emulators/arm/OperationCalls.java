package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Optional;

/** Polls of long-running operations: of the status document and of the result. */
final class OperationCalls {

    private final ArmState state;
    private final Writes writes;

    OperationCalls(ArmState state, Writes writes) {
        this.state = state;
        this.writes = writes;
    }

    Handled get(ReceivedCall call, ArmPath.OperationState path) {
        Optional<RememberedOperation> found = state.operations.byId(path.id());
        if (found.isEmpty()) {
            return Handled.of(
                    Errors.error(404, "OperationNotFound", "The operation '" + path.id() + "' could not be found."));
        }
        RememberedOperation operation = found.get();
        SentAnswer answer = path.result() ? result(call, operation) : status(operation);
        return Handled.of(operation.isRunning(state.now()) ? writes.withRetryAfter(answer) : answer, operation);
    }

    private SentAnswer status(RememberedOperation operation) {
        Instant now = state.now();
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("status", operation.status(now));
        if (operation.error != null && !operation.isRunning(now)) {
            document.setAll(operation.error);
        }
        return SentAnswer.of(200, document);
    }

    private SentAnswer result(ReceivedCall call, RememberedOperation operation) {
        if (operation.isRunning(state.now())) {
            return SentAnswer.of(202, null)
                    .header("Location", writes.operationUri(call, operation, "operationResults"));
        }
        if (operation.error != null) {
            return SentAnswer.of(operation.ending.equals(RememberedOperation.CANCELED) ? 409 : 500, operation.error);
        }
        return operation.isDelete() ? SentAnswer.of(204, null) : SentAnswer.of(200, resource(operation));
    }

    private ObjectNode resource(RememberedOperation operation) {
        if (operation.pool != null) {
            return state.memory
                    .pool(new PoolKey(operation.loadBalancer, operation.pool))
                    .map(state::show)
                    .orElseGet(JsonNodeFactory.instance::objectNode);
        }
        Optional<StoredLoadBalancer> loadBalancer = state.memory.loadBalancer(operation.loadBalancer);
        return loadBalancer.map(state::show).orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
