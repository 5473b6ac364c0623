package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.cloud.CloudMemory;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.fake.cloud.StoredPool;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of the emulator: the cloud's memory, the locations of load balancers, and the operations on them. Guarded
 * by the lock of the memory.
 */
final class ArmState {

    private static final String NO_SUBSCRIPTION = "00000000-0000-0000-0000-000000000000";
    private static final String NO_RESOURCE_GROUP = "poolkeeper";

    final CloudMemory memory;
    final Ids ids = new Ids();
    final Operations operations = new Operations(ids);
    final Place home;
    private final InstantSource clock;
    volatile ArmSettings settings;

    ArmState(CloudMemory memory, InstantSource clock, ArmSettings settings) {
        this.memory = memory;
        this.clock = clock;
        this.settings = settings;
        Optional<Place> first = memory.loadBalancers().stream()
                .flatMap(loadBalancer -> Place.of(loadBalancer).stream())
                .findFirst();
        this.home = new Place(
                settings.subscription != null
                        ? settings.subscription
                        : first.map(Place::subscription).orElse(NO_SUBSCRIPTION),
                settings.resourceGroup != null
                        ? settings.resourceGroup
                        : first.map(Place::resourceGroup).orElse(NO_RESOURCE_GROUP));
    }

    /** The time on the operations' clock. */
    Instant now() {
        InstantSource own = settings.operationClock;
        return (own == null ? clock : own).instant();
    }

    Place placeOf(StoredLoadBalancer loadBalancer) {
        return Place.of(loadBalancer).orElse(home);
    }

    /** The load balancer in a path, if it exists. */
    Optional<StoredLoadBalancer> find(String subscription, String resourceGroup, String name) {
        return memory.loadBalancer(ArmName.of(name))
                .filter(loadBalancer -> placeOf(loadBalancer).is(subscription, resourceGroup));
    }

    /** The error response for an unknown subscription or resource group; null if both exist. */
    @Nullable
    SentAnswer refusePlace(String subscription, @Nullable String resourceGroup) {
        boolean known = home.isIn(subscription);
        boolean groupKnown = resourceGroup == null || home.is(subscription, resourceGroup);
        if (known && groupKnown) {
            return null;
        }
        for (StoredLoadBalancer loadBalancer : memory.loadBalancers()) {
            Place place = placeOf(loadBalancer);
            known |= place.isIn(subscription);
            groupKnown |= resourceGroup != null && place.is(subscription, resourceGroup);
        }
        if (!known) {
            return Errors.subscriptionNotFound(subscription);
        }
        return groupKnown ? null : Errors.resourceGroupNotFound(String.valueOf(resourceGroup));
    }

    String etag(StoredPool pool) {
        if (settings.etagScope == EtagScope.LOAD_BALANCER) {
            return memory.loadBalancer(pool.key().loadBalancer())
                    .map(StoredLoadBalancer::etag)
                    .orElse(CloudMemory.FIRST_ETAG);
        }
        return pool.etag().isEmpty() ? CloudMemory.FIRST_ETAG : pool.etag();
    }

    ObjectNode show(StoredPool pool) {
        return show(pool, null);
    }

    /** The pool's JSON with a given state, or with its current state if null. */
    ObjectNode show(StoredPool pool, @Nullable String state) {
        return PoolDocument.show(pool, idOf(pool.key()), etag(pool), state == null ? stateOf(pool) : state);
    }

    ObjectNode show(StoredLoadBalancer loadBalancer) {
        return show(loadBalancer, memory.pools(loadBalancer.name()));
    }

    ObjectNode show(StoredLoadBalancer loadBalancer, List<StoredPool> itsPools) {
        ArrayNode pools = JsonNodeFactory.instance.arrayNode();
        itsPools.forEach(pool -> pools.add(show(pool)));
        String state = operations
                .runningOn(loadBalancer.name())
                .map(operation -> operation.pool == null ? operation.provisioningState() : "Updating")
                .orElseGet(() -> loadBalancer
                        .json()
                        .path("properties")
                        .path("provisioningState")
                        .asText("Succeeded"));
        String etagOfAll = settings.etagScope == EtagScope.LOAD_BALANCER ? loadBalancer.etag() : null;
        return LoadBalancerDocument.show(loadBalancer, pools, idOf(loadBalancer), etagOfAll, state);
    }

    private String stateOf(StoredPool pool) {
        return operations
                .runningOn(pool.key().loadBalancer())
                .filter(operation -> operation.pool == null
                        || operation.pool.equals(pool.key().pool()))
                .map(RememberedOperation::provisioningState)
                .orElseGet(() ->
                        pool.rest().path("properties").path("provisioningState").asText("Succeeded"));
    }

    String idOf(StoredLoadBalancer loadBalancer) {
        return loadBalancer
                .json()
                .path("id")
                .asText(home.idOf(loadBalancer.name().toString()));
    }

    String idOf(PoolKey key) {
        String parent = memory.loadBalancer(key.loadBalancer())
                .map(this::idOf)
                .orElseGet(() -> home.idOf(key.loadBalancer().toString()));
        return parent + "/backendAddressPools/" + key.pool();
    }
}
