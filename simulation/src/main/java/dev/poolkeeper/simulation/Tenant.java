package dev.poolkeeper.simulation;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.ServiceObject;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.cluster.WaitingPods.WaitingPod;
import dev.poolkeeper.simulation.schedule.StepKind;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A tenant with all rights in one namespace and none elsewhere, who uses them. Some of the Services there have the
 * pools of Services elsewhere, by their names.
 */
final class Tenant {

    private static final String FOREIGN = "-foreign";

    private final World world;
    private final String namespace;
    private long namesPodsUntil;

    Tenant(World world) {
        this.world = world;
        this.namespace = world.tenant();
    }

    void carryOut(StepKind step, Chance chance) {
        switch (step) {
            case TENANT_PAUSES ->
                ofService(chance, service -> {
                    edit(service, "true".equals(service.annotations().get(ServiceObject.PAUSED)) ? "false" : "true");
                });
            case TENANT_CHANGES_CLASS ->
                ofService(
                        chance,
                        service -> put(
                                service.withClass(service.loadBalancerClass().isEmpty() ? "example.com/other" : "")));
            case TENANT_SCALES -> scale(chance, chance.between(3, 8));
            case TENANT_NAMES_UNKNOWN_NODES -> nameUnknownNodes(chance);
            case TENANT_NAMES_FOREIGN_PODS -> nameForeignPods(chance);
            case TENANT_IN_A_LOOP -> {
                int times = chance.between(40, 120);
                loop(chance, times, chance.between(20, 1_000));
            }
            case TENANT_PODS_REFUSED -> refusePods(chance);
            default -> throw new IllegalArgumentException("no deed of a tenant: " + step);
        }
    }

    /** What was done to its Services is undone. */
    void tidyUp() {
        namesPodsUntil = 0;
        world.pods.refuse("", 0);
        for (Sighting sighting : world.apiServer.list(Kind.SERVICE)) {
            put(sighting.service().withClass(""));
        }
        for (Sighting slice : world.apiServer.list(Kind.SLICE)) {
            if (slice.key().contains(FOREIGN)) {
                world.apiServer.delete(Kind.SLICE, slice.key());
            }
        }
    }

    private boolean isIts(String key) {
        return key.startsWith(namespace + "/");
    }

    private List<Sighting> all(Kind kind) {
        return world.apiServer.list(kind).stream()
                .filter(object -> isIts(object.key()))
                .toList();
    }

    private interface Deed {
        void on(ServiceObject service);
    }

    private void ofService(Chance chance, Deed deed) {
        List<Sighting> services = all(Kind.SERVICE);
        if (!services.isEmpty()) {
            deed.on(chance.pick(services).service());
        }
    }

    private void put(ServiceObject service) {
        world.apiServer.put(Kind.SERVICE, service.name().toString(), service);
    }

    private void edit(ServiceObject service, String paused) {
        Map<String, String> annotations = new HashMap<>(service.annotations());
        annotations.put(ServiceObject.PAUSED, paused);
        put(service.withAnnotations(annotations));
    }

    /** All its Services, to nothing and back. */
    private void scale(Chance chance, int times) {
        List<EndpointSliceState> before = new ArrayList<>();
        for (Sighting sighting : all(Kind.SLICE)) {
            before.add(sighting.slice());
            put(sighting.slice(), List.of());
        }
        world.timeline.after(chance.between(500, 15_000) * Timeline.MILLIS, () -> {
            before.forEach(slice -> world.apiServer
                    .find(Kind.SLICE, slice.namespace() + "/" + slice.name())
                    .filter(now -> now.slice().nodeNames().isEmpty())
                    .ifPresent(now -> put(slice, slice.nodeNames())));
            if (times > 1) {
                world.timeline.after(chance.between(500, 9_000) * Timeline.MILLIS, () -> scale(chance, times - 1));
            }
        });
    }

    private void put(EndpointSliceState slice, List<String> nodes) {
        world.apiServer.put(
                Kind.SLICE,
                slice.namespace() + "/" + slice.name(),
                new EndpointSliceState(slice.namespace(), slice.name(), slice.service(), slice.addressType(), nodes));
    }

    /** For ever, unless the slice is written again; some of them beside others that exist. */
    private void nameUnknownNodes(Chance chance) {
        List<Sighting> slices = all(Kind.SLICE);
        if (slices.isEmpty()) {
            return;
        }
        EndpointSliceState slice = chance.pick(slices).slice();
        List<String> nodes = new ArrayList<>(chance.happens(0.5) ? slice.nodeNames() : List.of());
        for (int i = chance.between(1, 4); i > 0; i--) {
            nodes.add(World.GHOST + chance.between(0, 1_000_000));
        }
        put(slice, nodes);
    }

    /** For minutes, though its slices are often rewritten: in a moment without them the gates would be opened. */
    private void nameForeignPods(Chance chance) {
        startPodsElsewhere(chance.forked(1));
        namesPodsUntil = world.timeline.now() + chance.between(100, 250) * Timeline.SECONDS;
        ofService(chance, service -> nameForeignPods(service.name()));
    }

    /** All whose gate is closed: only they can be held up by it. */
    private void nameForeignPods(ServiceName name) {
        if (world.timeline.now() >= namesPodsUntil) {
            return;
        }
        List<WaitingPod> closed = world.pods.all().stream()
                .filter(pod -> !pod.namespace().equals(namespace) && !world.pods.isOpen(pod))
                .toList();
        world.apiServer
                .find(Kind.SERVICE, name.toString())
                .filter(found -> !closed.isEmpty())
                .ifPresent(found -> found.service().ipFamilies().forEach(family -> putForeign(name, family, closed)));
        world.timeline.after(500 * Timeline.MILLIS, () -> nameForeignPods(name));
    }

    private void putForeign(ServiceName service, String family, List<WaitingPod> pods) {
        String name = service.name() + FOREIGN + "-" + family.toLowerCase(Locale.ROOT);
        List<String> nodes = pods.stream().map(WaitingPod::node).toList();
        Set<String> uids = pods.stream().map(WaitingPod::uid).collect(Collectors.toSet());
        world.apiServer.put(
                Kind.SLICE,
                namespace + "/" + name,
                new EndpointSliceState(namespace, name, service, family, nodes, uids));
    }

    /** Edits annotations and slices, again and again. */
    private void loop(Chance chance, int times, int millis) {
        ofService(chance, service -> {
            put(service.withAnnotations(Map.of("example.com/edit", Integer.toString(times))));
            List<Sighting> slices = all(Kind.SLICE);
            if (!slices.isEmpty() && chance.happens(0.5)) {
                put(chance.pick(slices).slice(), world.someNodes(chance));
            }
        });
        if (times > 1) {
            world.timeline.after(millis * Timeline.MILLIS, () -> loop(chance, times - 1, millis));
        }
    }

    private void startPodsElsewhere(Chance chance) {
        List<Sighting> others = world.apiServer.list(Kind.SERVICE).stream()
                .filter(service -> !isIts(service.key()))
                .toList();
        for (int i = 0; i < 3 && !others.isEmpty(); i++) {
            ServiceObject service = chance.pick(others).service();
            world.pods.create(service.name(), service.ipFamilies(), chance.pick(world.nodeNames()));
        }
    }

    /** Starts Pods whose conditions the API server refuses to write, for minutes, while others start elsewhere. */
    private void refusePods(Chance chance) {
        ofService(chance, service -> {
            for (int i = chance.between(1, 3); i > 0; i--) {
                ServiceName name = service.name();
                world.pods.create(name, service.ipFamilies(), chance.pick(world.nodeNames()));
            }
        });
        world.pods.refuse(namespace, chance.pick(403, 413, 500));
        world.timeline.after(chance.between(2, 20) * Timeline.SECONDS, () -> startPodsElsewhere(chance));
        long length = chance.between(100, 250) * Timeline.SECONDS;
        world.timeline.after(length, () -> world.pods.refuse(namespace, 0));
    }
}
