package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.fake.cloud.StoredPool;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls on load balancers themselves. */
final class LoadBalancerCalls {

    private static final String PUT = "PutLoadBalancerOperation";
    private static final String DELETE = "DeleteLoadBalancerOperation";

    private final ArmState state;
    private final Writes writes;

    LoadBalancerCalls(ArmState state, Writes writes) {
        this.state = state;
        this.writes = writes;
    }

    Handled list(ReceivedCall call, ArmPath.LoadBalancers path) {
        String group = path.inResourceGroup();
        List<StoredLoadBalancer> loadBalancers = state.memory.loadBalancers().stream()
                .filter(loadBalancer -> group == null
                        ? state.placeOf(loadBalancer).isIn(path.subscription())
                        : state.placeOf(loadBalancer).is(path.subscription(), group))
                .toList();
        return Handled.of(PageLinks.page(call, loadBalancers, state::show, state.settings.pageSize));
    }

    Handled get(ArmPath.LoadBalancer path) {
        return Handled.of(state.find(path.subscription(), path.resourceGroup(), path.loadBalancer())
                .map(found -> SentAnswer.of(200, state.show(found)).header("ETag", found.etag()))
                .orElseGet(() -> Errors.loadBalancerNotFound(path.loadBalancer(), path.resourceGroup())));
    }

    Handled put(ReceivedCall call, ArmPath.LoadBalancer path, Writes.@Nullable Ending ending) throws BadBody {
        ArmName name = ArmName.of(path.loadBalancer());
        StoredLoadBalancer existing = find(path);
        if (existing == null && state.memory.loadBalancer(name).isPresent()) {
            return Handled.of(Errors.error(
                    409,
                    "InvalidResourceLocation",
                    "The emulator already has '" + name
                            + "' in another resource group, and supports only one load balancer of each name."));
        }
        String id = existing == null
                ? new Place(path.subscription(), path.resourceGroup()).idOf(path.loadBalancer())
                : state.idOf(existing);
        SentAnswer refusal = writes.refuse(call, name, id, existing == null ? null : existing.etag());
        if (refusal != null) {
            return Handled.of(refusal);
        }
        ObjectNode body = ArmJson.parse(call.body());
        List<StoredPool> pools = pools(name, ArmJson.object(body, "properties"));
        StoredLoadBalancer wanted = LoadBalancerDocument.read(
                existing == null ? name : existing.name(), id, body, existing, state.ids.next());
        List<StoredPool> oldPools = existing == null ? List.of() : state.memory.pools(name);
        if (existing != null
                && ending == null
                && state.operations.runningOn(name).isEmpty()
                && isAsBefore(existing, oldPools, wanted, pools)) {
            RememberedOperation operation = writes.startFinished(PUT, name, null, call);
            return Handled.of(writes.accepted(SentAnswer.of(200, state.show(existing)), call, operation), operation);
        }
        return write(call, wanted, pools, ending);
    }

    /** Replaces the tags immediately, regardless of operations in progress on the load balancer. */
    Handled patchTags(ReceivedCall call, ArmPath.LoadBalancer path) throws BadBody {
        StoredLoadBalancer existing = find(path);
        if (existing == null) {
            return Handled.of(Errors.loadBalancerNotFound(path.loadBalancer(), path.resourceGroup()));
        }
        SentAnswer refusal = Etags.refuse(call, state.idOf(existing), existing.etag());
        if (refusal != null) {
            return Handled.of(refusal);
        }
        ObjectNode json = existing.json().deepCopy();
        json.set("tags", ArmJson.object(ArmJson.parse(call.body()), "tags"));
        StoredLoadBalancer tagged = state.memory.write(
                new StoredLoadBalancer(existing.name(), existing.etag(), json), state.memory.pools(existing.name()));
        return Handled.of(SentAnswer.of(200, state.show(tagged)));
    }

    private Handled write(
            ReceivedCall call, StoredLoadBalancer wanted, List<StoredPool> pools, Writes.@Nullable Ending ending) {
        writes.supersede(wanted.name(), PUT);
        StoredLoadBalancer existing =
                state.memory.loadBalancer(wanted.name()).orElse(null); // a superseded write may have been undone
        List<StoredPool> oldPools = state.memory.pools(wanted.name());
        // without a backend there is nothing to program, so Azure completes it with the response
        boolean instant =
                ending == null && pools.stream().allMatch(pool -> pool.entries().isEmpty());
        RememberedOperation operation = instant
                ? writes.startFinished(PUT, wanted.name(), null, call)
                : writes.start(PUT, wanted.name(), null, call, ending);
        operation.undo = () -> restore(wanted, existing, oldPools);
        state.memory.write(wanted, pools);
        ObjectNode shown = state.show(state.memory.loadBalancer(wanted.name()).orElseThrow());
        if (!operation.isRunning(state.now()) && ending == null) {
            state.operations.settle(state.now());
            shown = state.show(state.memory.loadBalancer(wanted.name()).orElseThrow());
        } else if (ending != null) {
            restore(wanted, existing, oldPools);
        }
        int status = existing == null ? 201 : state.settings.statusOfUpdates;
        state.operations.settle(state.now());
        return Handled.of(writes.accepted(SentAnswer.of(status, shown), call, operation), operation);
    }

    private void restore(StoredLoadBalancer wanted, @Nullable StoredLoadBalancer existing, List<StoredPool> oldPools) {
        if (existing == null) {
            state.memory.remove(wanted.name());
        } else {
            state.memory.write(existing, oldPools);
        }
    }

    private List<StoredPool> pools(ArmName name, ObjectNode properties) throws BadBody {
        List<StoredPool> pools = new ArrayList<>();
        for (ObjectNode pool : ArmJson.objects(properties, LoadBalancerDocument.POOLS)) {
            String poolName = ArmJson.text(pool, "name");
            if (poolName == null || poolName.isBlank()) {
                throw new BadBody(
                        Errors.error(400, "InvalidRequestFormat", "An element of 'backendAddressPools' has no name."));
            }
            SentAnswer refusal = ResourceNames.refuse(poolName);
            if (refusal != null) {
                throw new BadBody(refusal);
            }
            PoolKey key = new PoolKey(name, ArmName.of(poolName));
            StoredPool existing = state.memory.pool(key).orElse(null);
            pools.add(PoolDocument.read(key, pool, existing));
        }
        return pools;
    }

    private boolean isAsBefore(
            StoredLoadBalancer existing, List<StoredPool> oldPools, StoredLoadBalancer wanted, List<StoredPool> pools) {
        StoredLoadBalancer same = new StoredLoadBalancer(existing.name(), existing.etag(), wanted.json());
        return state.show(existing, oldPools).equals(state.show(same, pools));
    }

    Handled delete(ReceivedCall call, ArmPath.LoadBalancer path, Writes.@Nullable Ending ending) {
        StoredLoadBalancer existing = find(path);
        if (existing == null) {
            return Handled.of(SentAnswer.of(204, null));
        }
        ArmName name = existing.name();
        SentAnswer refusal = writes.refuse(call, name, state.idOf(existing), existing.etag());
        if (refusal != null) {
            return Handled.of(refusal);
        }
        writes.supersede(name, DELETE);
        RememberedOperation operation = writes.start(DELETE, name, null, call, ending);
        operation.onSuccess = () -> state.memory.remove(name);
        state.memory.touch(name);
        state.operations.settle(state.now());
        return Handled.of(writes.accepted(SentAnswer.of(202, null), call, operation), operation);
    }

    private @Nullable StoredLoadBalancer find(ArmPath.LoadBalancer path) {
        return state.find(path.subscription(), path.resourceGroup(), path.loadBalancer())
                .orElse(null);
    }
}
