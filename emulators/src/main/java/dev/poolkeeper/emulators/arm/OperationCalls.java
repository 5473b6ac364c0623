package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Optional;

/** Polls of long-running operations, in both ways: the status document and the result. */
final class OperationCalls {

    private final ArmState state;
    private final Writes writes;

    OperationCalls(ArmState state, Writes writes) {
        this.state = state;
        this.writes = writes;
    }

    Handled get(ArmCall call, ArmPath.OperationState path) {
        Optional<Operation> found = state.operations.byId(path.id());
        if (found.isEmpty()) {
            return Handled.of(
                    Errors.error(404, "OperationNotFound", "The operation '" + path.id() + "' could not be found."));
        }
        Operation operation = found.get();
        ArmAnswer answer = path.result() ? result(call, operation) : status(operation);
        return Handled.of(operation.isRunning(state.now()) ? writes.withRetryAfter(answer) : answer, operation);
    }

    private ArmAnswer status(Operation operation) {
        Instant now = state.now();
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("status", operation.status(now));
        if (operation.error != null && !operation.isRunning(now)) {
            document.setAll(operation.error);
        }
        return ArmAnswer.of(200, document);
    }

    private ArmAnswer result(ArmCall call, Operation operation) {
        if (operation.isRunning(state.now())) {
            return ArmAnswer.of(202, null).header("Location", writes.operationUri(call, operation, "operationResults"));
        }
        if (operation.error != null) {
            return ArmAnswer.of(operation.ending.equals(Operation.CANCELED) ? 409 : 500, operation.error);
        }
        return operation.isDelete() ? ArmAnswer.of(204, null) : ArmAnswer.of(200, resource(operation));
    }

    private ObjectNode resource(Operation operation) {
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
