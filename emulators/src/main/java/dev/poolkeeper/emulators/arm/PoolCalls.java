package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.fake.cloud.StoredPool;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls on the pools of a load balancer. */
final class PoolCalls {

    private static final String PUT = "PutLoadBalancerBackendAddressPoolOperation";
    private static final String DELETE = "DeleteLoadBalancerBackendAddressPoolOperation";

    private final ArmState state;
    private final Writes writes;

    PoolCalls(ArmState state, Writes writes) {
        this.state = state;
        this.writes = writes;
    }

    Handled list(ReceivedCall call, ArmPath.Pools path) {
        Optional<StoredLoadBalancer> parent =
                state.find(path.subscription(), path.resourceGroup(), path.loadBalancer());
        if (parent.isEmpty()) {
            return Handled.of(Errors.parentNotFound(path.loadBalancer()));
        }
        List<StoredPool> pools = state.memory.pools(parent.get().name());
        return Handled.of(PageLinks.page(call, pools, state::show, state.settings.pageSize));
    }

    Handled get(ArmPath.Pool path) {
        if (parent(path).isEmpty()) {
            return Handled.of(Errors.parentNotFound(path.loadBalancer()));
        }
        PoolKey key = key(path);
        return Handled.of(state.memory
                .pool(key)
                .map(pool -> SentAnswer.of(200, state.show(pool)).header("ETag", state.etag(pool)))
                .orElseGet(() -> Errors.notFound(state.idOf(key))));
    }

    Handled put(ReceivedCall call, ArmPath.Pool path, Writes.@Nullable Ending ending) throws BadBody {
        if (parent(path).isEmpty()) {
            return Handled.of(Errors.parentNotFound(path.loadBalancer()));
        }
        PoolKey key = key(path);
        StoredPool existing = state.memory.pool(key).orElse(null);
        SentAnswer refusal = writes.refuse(
                call, key.loadBalancer(), state.idOf(key), existing == null ? null : state.etag(existing));
        if (refusal != null) {
            return Handled.of(refusal);
        }
        ObjectNode body = ArmJson.parse(call.body());
        boolean undisturbed = state.operations.runningOn(key.loadBalancer()).isEmpty();
        StoredPool wanted = PoolDocument.read(key, body, existing);
        if (existing != null && undisturbed && ending == null && isAsBefore(existing, wanted)) {
            RememberedOperation operation = writes.startFinished(PUT, key.loadBalancer(), key.pool(), call);
            return Handled.of(writes.accepted(SentAnswer.of(200, state.show(existing)), call, operation), operation);
        }
        writes.supersede(key.loadBalancer(), PUT);
        StoredPool before = state.memory.pool(key).orElse(null); // a superseded write may have been undone
        RememberedOperation operation = writes.start(PUT, key.loadBalancer(), key.pool(), call, ending);
        StoredPool written = ending == null ? write(wanted, before, operation) : discarded(wanted, before, ending);
        boolean over = ending == null && !operation.isRunning(state.now());
        ObjectNode shown = state.show(written, over ? RememberedOperation.SUCCEEDED : "Updating");
        state.operations.settle(state.now());
        int status = existing == null ? 201 : state.settings.statusOfUpdates;
        return Handled.of(writes.accepted(SentAnswer.of(status, shown), call, operation), operation);
    }

    private StoredPool write(StoredPool wanted, @Nullable StoredPool existing, RememberedOperation operation) {
        operation.undo = () -> {
            if (existing == null) {
                state.memory.remove(wanted.key());
            } else {
                state.memory.write(existing);
            }
        };
        return state.memory.write(wanted);
    }

    /** Accepts a write that will fail. The existing pool stays, under another version. */
    private StoredPool discarded(StoredPool wanted, @Nullable StoredPool existing, Writes.Ending ending) {
        if (existing == null) {
            state.memory.touch(wanted.key().loadBalancer());
        } else {
            boolean failed = ending.how() == HttpsFault.Ending.FAILED;
            state.memory.write(failed ? PoolDocument.withState(existing, RememberedOperation.FAILED) : existing);
        }
        return wanted;
    }

    private boolean isAsBefore(StoredPool existing, StoredPool wanted) {
        return existing.rest()
                        .path("properties")
                        .path("provisioningState")
                        .asText("Succeeded")
                        .equals("Succeeded")
                && state.show(existing).equals(state.show(wanted.withEtag(existing.etag())));
    }

    Handled delete(ReceivedCall call, ArmPath.Pool path, Writes.@Nullable Ending ending) {
        PoolKey key = key(path);
        StoredPool existing =
                parent(path).isEmpty() ? null : state.memory.pool(key).orElse(null);
        if (existing == null) {
            return Handled.of(SentAnswer.of(204, null));
        }
        SentAnswer refusal = writes.refuse(call, key.loadBalancer(), state.idOf(key), state.etag(existing));
        if (refusal != null) {
            return Handled.of(refusal);
        }
        writes.supersede(key.loadBalancer(), DELETE);
        RememberedOperation operation = writes.start(DELETE, key.loadBalancer(), key.pool(), call, ending);
        operation.onSuccess = () -> state.memory.remove(key);
        state.memory.touch(key.loadBalancer());
        state.operations.settle(state.now());
        return Handled.of(writes.accepted(SentAnswer.of(202, null), call, operation), operation);
    }

    private Optional<StoredLoadBalancer> parent(ArmPath.Pool path) {
        return state.find(path.subscription(), path.resourceGroup(), path.loadBalancer());
    }

    /** The key in the cloud's spelling, if the pool exists. */
    private PoolKey key(ArmPath.Pool path) {
        PoolKey asked = PoolKey.of(path.loadBalancer(), path.pool());
        return state.memory
                .pool(asked)
                .map(StoredPool::key)
                .orElseGet(() -> new PoolKey(
                        state.memory
                                .loadBalancer(asked.loadBalancer())
                                .map(StoredLoadBalancer::name)
                                .orElse(asked.loadBalancer()),
                        ArmName.of(path.pool())));
    }
}
