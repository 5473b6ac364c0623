package dev.poolkeeper.simulation;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.ServiceObject;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.cluster.WaitingPods.WaitingPod;
import dev.poolkeeper.simulation.schedule.Step;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Carries out the ordinary changes of the cluster and the load balancers. */
final class Director {

    private final World world;
    private final Tenant tenant;

    /** The pools that a writer without the lock is changing again and again. */
    private final Set<PoolKey> foughtOver = new HashSet<>();

    Director(World world) {
        this.world = world;
        this.tenant = new Tenant(world);
    }

    /** A step without a suitable object has no effect. */
    void carryOut(Step step) {
        Chance chance = new Chance(step.salt());
        switch (step.kind()) {
            case PODS_MOVE -> {
                if (chance.forked(1).happens(0.15)) {
                    some(Kind.SLICE, chance, slice -> world.apiServer.touch(Kind.SLICE, slice.key()));
                } else {
                    slice(chance, slice -> world.someNodes(chance));
                }
            }
            case SLICE_EMPTIED -> slice(chance, slice -> List.of());
            case SLICE_LARGE ->
                slice(chance, slice -> {
                    List<String> nodes = new ArrayList<>();
                    for (int i = 0; i < 120; i++) {
                        nodes.add(chance.pick(world.nodeNames()));
                    }
                    return nodes;
                });
            case NODE_NAME_MISSING ->
                slice(chance, slice -> slice.nodeNames().stream().limit(1).toList());
            case SLICE_BEFORE_NODE -> sliceBeforeNode(chance);
            case SLICE_SPLIT -> split(chance);
            case SLICE_MERGED -> merge(chance);
            case SLICE_DELETED ->
                some(Kind.SLICE, chance, slice -> {
                    world.apiServer.delete(Kind.SLICE, slice.key());
                    if (chance.forked(1).happens(0.4)) {
                        world.apiServer.put(Kind.SLICE, slice.key(), slice.slice());
                    }
                });
            case NODE_ADDED -> world.addNode();
            case NODE_DELETED -> {
                if (world.nodeNames().size() > 3) {
                    some(Kind.NODE, chance, node -> world.apiServer.delete(Kind.NODE, node.key()));
                }
            }
            case NODE_READDRESSED -> some(Kind.NODE, chance, node -> world.readdress(node.node(), chance));
            case NODE_EXCLUDED -> some(Kind.NODE, chance, this::exclude);
            case SERVICE_DELETED -> some(Kind.SERVICE, chance, this::deleteService);
            case SERVICE_CREATED -> {
                ServiceName name = chance.pick(world.services);
                if (world.apiServer.find(Kind.SERVICE, name.toString()).isEmpty()) {
                    world.createService(name, chance);
                }
                world.createPools(name, chance);
            }
            case SERVICE_POLICY ->
                some(Kind.SERVICE, chance, service -> {
                    ServiceObject state = service.service();
                    put(state.withPolicy(state.externalTrafficPolicy().equals("Local") ? "Cluster" : "Local"));
                });
            case SERVICE_PAUSED ->
                some(Kind.SERVICE, chance, service -> {
                    ServiceObject state = service.service();
                    put(state.withAnnotations(state.paused() ? Map.of() : Map.of(ServiceObject.PAUSED, "true")));
                });
            case POOL_MOVED ->
                pool(chance, pool -> {
                    Map<IpAddress, String> entries = world.arm.entries(pool);
                    world.arm.deletePool(pool);
                    world.arm.createPool(new PoolKey(chance.pick(world.loadBalancers), pool.pool()), entries);
                });
            case GATED_POD -> gatedPod(chance);
            case POLICY_CHANGED -> world.policies.change(chance);
            case OTHER_CONTROLLER_WRITES -> world.otherController.reconcile(chance);
            case POOL_DELETED -> pool(chance, world.arm::deletePool);
            case POOL_CREATED -> world.createPools(chance.pick(world.services), chance);
            case POOL_TWICE ->
                pool(
                        chance,
                        pool -> world.arm.createPool(
                                new PoolKey(chance.pick(world.loadBalancers), pool.pool()), world.arm.entries(pool)));
            case TENANT_PAUSES,
                    TENANT_CHANGES_CLASS,
                    TENANT_SCALES,
                    TENANT_NAMES_UNKNOWN_NODES,
                    TENANT_NAMES_FOREIGN_PODS,
                    TENANT_IN_A_LOOP,
                    TENANT_PODS_REFUSED -> tenant.carryOut(step.kind(), chance);
            default -> throw new IllegalArgumentException("not an ordinary change: " + step);
        }
    }

    private interface Edit {
        List<String> nodesOf(EndpointSliceState slice);
    }

    private void some(Kind kind, Chance chance, Consumer<Sighting> action) {
        List<Sighting> all = inPlay(kind);
        if (!all.isEmpty()) {
            action.accept(chance.pick(all));
        }
    }

    private List<Sighting> inPlay(Kind kind) {
        return world.apiServer.list(kind).stream()
                .filter(object -> !isLeftAlone(kind, object))
                .toList();
    }

    /** A fight becomes one only while the same content is wanted: the Services of its pool do not change. */
    private boolean isLeftAlone(Kind kind, Sighting object) {
        ServiceName service = switch (kind) {
            case SERVICE -> object.service().name();
            case SLICE -> object.slice().service();
            case NODE -> null;
        };
        return service != null
                && foughtOver.stream()
                        .anyMatch(pool -> pool.pool().equals(IpFamily.IPV4.poolName(service))
                                || pool.pool().equals(IpFamily.IPV6.poolName(service)));
    }

    private void pool(Chance chance, Consumer<PoolKey> action) {
        List<PoolKey> all = world.servicePools().stream()
                .filter(pool -> !foughtOver.contains(pool))
                .toList();
        if (!all.isEmpty()) {
            action.accept(chance.pick(all));
        }
    }

    private void put(ServiceObject state) {
        world.apiServer.put(Kind.SERVICE, state.name().toString(), state);
    }

    private void put(EndpointSliceState slice, List<String> nodes) {
        world.apiServer.put(
                Kind.SLICE,
                slice.namespace() + "/" + slice.name(),
                new EndpointSliceState(
                        slice.namespace(),
                        slice.name(),
                        slice.service(),
                        slice.addressType(),
                        nodes,
                        nodes.equals(slice.nodeNames()) ? slice.podUids() : Set.of()));
    }

    private void slice(Chance chance, Edit edit) {
        some(Kind.SLICE, chance, slice -> put(slice.slice(), edit.nodesOf(slice.slice())));
    }

    private void sliceBeforeNode(Chance chance) {
        String name = "late-" + chance.between(0, 1_000_000);
        slice(chance, slice -> {
            boolean isReplaced = chance.forked(3).happens(0.4);
            List<String> nodes = new ArrayList<>(isReplaced ? List.of() : slice.nodeNames());
            nodes.add(name);
            return nodes;
        });
        Map<String, String> labels =
                chance.forked(1).happens(0.3) ? Map.of(NodeState.EXCLUDE_FROM_EXTERNAL_LOAD_BALANCERS, "") : Map.of();
        world.timeline.after(chance.between(100, 20_000) * Timeline.MILLIS, () -> world.putNode(name, labels));
    }

    /** Other objects take the places of most slices, with the same content. */
    void replaceSlices(Chance chance) {
        for (Sighting slice : inPlay(Kind.SLICE)) {
            if (chance.happens(0.6)) {
                world.apiServer.delete(Kind.SLICE, slice.key());
                world.apiServer.put(Kind.SLICE, slice.key(), slice.slice());
            }
        }
    }

    private void gatedPod(Chance chance) {
        List<WaitingPod> pods = world.pods.all();
        if (!pods.isEmpty() && chance.happens(0.3)) {
            world.pods.delete(chance.pick(pods));
        }
        if (chance.forked(1).happens(0.4)) {
            gatedPodOnNodeThatLeaves(chance.forked(2));
            return;
        }
        some(
                Kind.SERVICE,
                chance,
                service -> world.pods.create(
                        service.service().name(), service.service().ipFamilies(), chance.pick(world.nodeNames())));
    }

    /** The last Pods of a Service leave a node, and while that is written a Pod with the gate starts there. */
    private void gatedPodOnNodeThatLeaves(Chance chance) {
        some(Kind.SLICE, chance, sighting -> {
            EndpointSliceState slice = sighting.slice();
            ServiceName service = slice.service();
            if (service == null || slice.nodeNames().isEmpty()) {
                return;
            }
            String node = chance.pick(slice.nodeNames());
            put(
                    slice,
                    slice.nodeNames().stream()
                            .filter(name -> !name.equals(node))
                            .toList());
            world.timeline.after(
                    chance.between(1_000, 4_000) * Timeline.MILLIS,
                    () -> world.apiServer
                            .find(Kind.SERVICE, service.toString())
                            .filter(found -> world.nodeNames().contains(node))
                            .ifPresent(found ->
                                    world.pods.create(service, found.service().ipFamilies(), node)));
        });
    }

    private void split(Chance chance) {
        some(Kind.SLICE, chance, sighting -> {
            EndpointSliceState slice = sighting.slice();
            int half = slice.nodeNames().size() / 2;
            world.apiServer.put(
                    Kind.SLICE,
                    sighting.key() + "x",
                    new EndpointSliceState(
                            slice.namespace(),
                            slice.name() + "x",
                            slice.service(),
                            slice.addressType(),
                            slice.nodeNames()
                                    .subList(0, half + 1 > slice.nodeNames().size() ? half : half + 1)));
            put(slice, slice.nodeNames().subList(half, slice.nodeNames().size()));
        });
    }

    private void merge(Chance chance) {
        some(Kind.SLICE, chance, sighting -> {
            EndpointSliceState slice = sighting.slice();
            String service = String.valueOf(slice.service());
            for (Sighting other : world.apiServer.list(Kind.SLICE)) {
                if (!other.key().equals(sighting.key())
                        && service.equals(String.valueOf(other.slice().service()))
                        && other.slice().addressType().equals(slice.addressType())) {
                    List<String> nodes = new ArrayList<>(slice.nodeNames());
                    nodes.addAll(other.slice().nodeNames());
                    put(slice, nodes);
                    world.apiServer.delete(Kind.SLICE, other.key());
                    return;
                }
            }
        });
    }

    private void exclude(Sighting sighting) {
        NodeState node = sighting.node();
        Map<String, String> labels =
                node.labels().isEmpty() ? Map.of(NodeState.EXCLUDE_FROM_EXTERNAL_LOAD_BALANCERS, "") : Map.of();
        world.apiServer.put(Kind.NODE, node.name(), new NodeState(node.name(), labels, node.internalIps()));
    }

    private void deleteService(Sighting sighting) {
        ServiceName name = sighting.service().name();
        world.apiServer.delete(Kind.SERVICE, sighting.key());
        for (Sighting slice : world.apiServer.list(Kind.SLICE)) {
            ServiceName owner = slice.slice().service();
            if (owner != null && owner.equals(name)) {
                world.apiServer.delete(Kind.SLICE, slice.key());
            }
        }
    }

    /** Moves the pods of every Service at once. */
    void moveAll(Chance chance) {
        inPlay(Kind.SLICE).forEach(slice -> put(slice.slice(), world.someNodes(chance)));
    }

    /**
     * Removes all endpoints from most slices.
     *
     * @return an action that restores them in slices that still exist and are empty
     */
    Runnable loseEndpoints(Chance chance) {
        double share = chance.pick(0.7, 0.9, 1.0);
        List<EndpointSliceState> lost = new ArrayList<>();
        for (Sighting sighting : inPlay(Kind.SLICE)) {
            if (chance.happens(share)) {
                lost.add(sighting.slice());
                put(sighting.slice(), List.of());
            }
        }
        return () -> lost.forEach(slice -> world.apiServer
                .find(Kind.SLICE, slice.namespace() + "/" + slice.name())
                .filter(now -> now.slice().nodeNames().isEmpty())
                .ifPresent(now -> put(slice, slice.nodeNames())));
    }

    /**
     * A writer without the lock takes turns at emptying a pool and writing something else into it, whenever another
     * one's write has ended, until it is stopped. Meanwhile the pool's Services are left alone.
     */
    void fightOver(Chance chance, BooleanSupplier goesOn) {
        pool(chance, pool -> {
            IpFamily family = pool.pool().toString().endsWith("-ipv6") ? IpFamily.IPV6 : IpFamily.IPV4;
            foughtOver.add(pool);
            long until = world.timeline.now() + chance.between(200, 400) * Timeline.SECONDS;
            fight(new Fight(pool, world.entries(family, chance), until, goesOn, chance), Map.of());
        });
    }

    /**
     * A fight over a pool.
     *
     * @param entries what the writer writes every other time
     * @param until when it ends
     * @param goesOn whether it was not ended before
     */
    private record Fight(
            PoolKey pool, Map<IpAddress, String> entries, long until, BooleanSupplier goesOn, Chance chance) {}

    private void fight(Fight fight, Map<IpAddress, String> next) {
        PoolKey pool = fight.pool();
        boolean isThere = world.arm.pools().contains(pool);
        if (!fight.goesOn().getAsBoolean() || !isThere || world.timeline.now() >= fight.until()) {
            foughtOver.remove(pool);
            return;
        }
        Set<IpAddress> held = world.arm.entries(pool).keySet();
        boolean isOurs = held.isEmpty() || held.equals(fight.entries().keySet());
        if (!isOurs && !world.arm.isUpdating(pool)) {
            world.arm.foreignWrite(pool, next, 4);
            Map<IpAddress, String> other = next.isEmpty() ? fight.entries() : Map.of();
            world.timeline.after(fight.chance().between(500, 5_000) * Timeline.MILLIS, () -> fight(fight, other));
        } else { // often between the end of a write and the look at what it left
            world.timeline.after(fight.chance().between(200, 1_000) * Timeline.MILLIS, () -> fight(fight, next));
        }
    }

    /**
     * A writer without the lock adds or removes an address, or renames the entries, and edits a field that is not ours.
     */
    void foreignWrite(Chance chance) {
        pool(chance, pool -> {
            Map<IpAddress, String> entries = new TreeMap<>(world.arm.entries(pool));
            switch (chance.between(0, 2)) {
                case 0 -> {
                    boolean six = pool.pool().toString().endsWith("-ipv6");
                    entries.putAll(world.entries(six ? IpFamily.IPV6 : IpFamily.IPV4, chance));
                }
                case 1 -> {
                    if (!entries.isEmpty()) {
                        entries.remove(chance.pick(List.copyOf(entries.keySet())));
                    }
                }
                default -> { // the names of nodes, but of other ones
                    List<String> names = new ArrayList<>(world.nodeNames());
                    Collections.rotate(names, chance.between(1, names.size()));
                    Iterator<String> next = names.iterator();
                    entries.replaceAll((address, name) -> next.hasNext() ? next.next() : name);
                }
            }
            world.arm.foreignWrite(pool, entries, chance.between(4, 1000));
        });
    }

    /** Deletes all Services, and all pools but one: a listing without any would be taken for an error. */
    void deleteServices() {
        world.apiServer.list(Kind.SERVICE).forEach(this::deleteService);
        world.servicePools().stream().skip(1).forEach(world.arm::deletePool);
    }

    /**
     * Does what a cluster's own controllers do eventually: no endpoint names a deleted node, and each Service has at
     * least one slice for each of its families. Also unpauses all Services and removes duplicate pools. Names of nodes
     * that never existed stay.
     */
    void tidyUp() {
        tenant.tidyUp();
        List<String> nodes = world.nodeNames();
        for (Sighting slice : world.apiServer.list(Kind.SLICE)) {
            put(
                    slice.slice(),
                    slice.slice().nodeNames().stream()
                            .filter(node -> nodes.contains(node) || node.startsWith(World.GHOST))
                            .toList());
        }
        for (Sighting sighting : world.apiServer.list(Kind.SERVICE)) {
            put(sighting.service().withAnnotations(Map.of()));
            for (String family : sighting.service().ipFamilies()) {
                if (world.apiServer.list(Kind.SLICE).stream()
                        .noneMatch(slice -> slice.slice().addressType().equals(family)
                                && String.valueOf(slice.slice().service()).equals(sighting.key()))) {
                    world.putSlice(sighting.service().name(), "a", family, List.of());
                }
            }
        }
        for (ArmName loadBalancer : world.loadBalancers) {
            for (PoolKey pool : world.servicePools()) {
                if (pool.loadBalancer().equals(loadBalancer)
                        && world.arm.places(pool.pool()).size() > 1) {
                    world.arm.deletePool(pool);
                }
            }
        }
    }
}
