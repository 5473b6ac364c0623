package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.End;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.KubernetesObjects;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.wire.Json;
import dev.poolkeeper.simulation.wire.Tap;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the watch events and lists sent to a daemon, from bytes. */
final class KubeTap implements Tap {

    private static final Pattern VERSION = Pattern.compile("resourceVersion=(\\d+)");

    private final SimulatedDaemon daemon;
    /** The initial events of watches that have not reached their end bookmark. */
    private final Map<HttpCall, TreeMap<String, Sighting>> beginning = new IdentityHashMap<>();

    /** The latest request about each kind, until it ends: an earlier one may end later. */
    private final Map<HttpCall, Kind> latest = new IdentityHashMap<>();

    /** Watches that have shown an event or a bookmark since their initial events. */
    private final Set<HttpCall> working = Collections.newSetFromMap(new IdentityHashMap<>());

    private final PolicyTap policies;
    private final Map<Kind, Set<String>> pages = new HashMap<>();

    /** The version of the last event or list of each kind. */
    private final Map<Kind, Long> versions = new EnumMap<>(Kind.class);

    KubeTap(SimulatedDaemon daemon) {
        this.daemon = daemon;
        this.policies = new PolicyTap(daemon);
    }

    private static Subject about(Kind kind) {
        return switch (kind) {
            case SERVICE -> Subject.SERVICES;
            case SLICE -> Subject.SLICES;
            case NODE -> Subject.NODES;
        };
    }

    private static boolean isWatch(HttpCall call) {
        return String.valueOf(call.uri().getQuery()).contains("watch=true");
    }

    @Override
    public void sent(HttpCall call) {
        policies.sent(call);
        if (!call.method().equals("GET") && call.uri().getPath().startsWith("/apis/events.k8s.io/")) {
            daemon.observed(new Observation.Asked(daemon, Subject.EVENTS));
        }
        GatePatch.of(call).ifPresent(patch -> daemon.observed(new Observation.GateSent(daemon, patch)));
        Kind.at(call.uri().getPath()).ifPresent(kind -> {
            latest.values().removeIf(kind::equals);
            watchOf(kind);
            latest.put(call, kind);
            daemon.observed(new Observation.Asked(daemon, about(kind)));
            String query = String.valueOf(call.uri().getQuery());
            boolean all = query.contains("sendInitialEvents=true");
            if (all) {
                beginning.put(call, new TreeMap<>());
            }
            if (isWatch(call) && !all) {
                daemon.observed(new Observation.Watched(
                        daemon, about(kind), versionIn(query), versions.getOrDefault(kind, 0L)));
            }
            if (all || !isWatch(call) && !query.contains("continue=")) {
                daemon.readsAll();
            }
        });
    }

    /** A watch or list of this kind begins or ends. */
    private void watchOf(Kind kind) {
        if (kind == Kind.NODE) {
            daemon.knowledge().nodesOutOfStep();
        }
    }

    private static long versionIn(String query) {
        Matcher version = VERSION.matcher(query);
        return version.find() ? Long.parseLong(version.group(1)) : 0;
    }

    private void received(Kind kind, JsonNode object) {
        long version = object.path("metadata").path("resourceVersion").asLong();
        if (version > 0) {
            versions.put(kind, version);
        }
    }

    @Override
    public void received(HttpCall call, AnswerPart part) {
        policies.received(call, part);
        if (part instanceof Whole whole && whole.status() == 200) {
            GatePatch.of(call).ifPresent(patch -> daemon.observed(new Observation.GateAccepted(daemon, patch)));
        }
        Kind.at(call.uri().getPath()).ifPresent(kind -> {
            boolean isOver = part instanceof Whole || part instanceof End || part instanceof Dropped;
            boolean worked = isOver && working.remove(call);
            if (isOver) {
                watchOf(kind);
            }
            if (isOver && latest.remove(call) != null) {
                daemon.observed(new Observation.Due(daemon, about(kind), worked));
            }
            try {
                switch (part) {
                    case Frame frame -> event(call, kind, Json.MAPPER.readTree(frame.bytes()));
                    case Whole whole -> {
                        if (isWatch(call)) {
                            daemon.observed(new Observation.WatchEnded(daemon, whole.status()));
                        } else if (whole.status() == 200) {
                            page(call, kind, Json.MAPPER.readTree(whole.body()));
                        }
                    }
                    case End end -> daemon.observed(new Observation.WatchEnded(daemon, 200));
                    case Dropped dropped -> daemon.observed(new Observation.WatchEnded(daemon, 0));
                    case AnswerPart.Head head -> {}
                }
            } catch (IOException e) {
                throw new IllegalStateException("the API server sent invalid JSON", e);
            }
        });
    }

    private void event(HttpCall call, Kind kind, JsonNode event) {
        JsonNode object = event.path("object");
        received(kind, object);
        if (!beginning.containsKey(call) && !event.path("type").asText().equals("ERROR")) {
            working.add(call);
        }
        TreeMap<String, Sighting> shown = beginning.get(call);
        switch (event.path("type").asText()) {
            case "ERROR" ->
                daemon.observed(
                        new Observation.WatchEnded(daemon, object.path("code").asInt()));
            case "BOOKMARK" -> {
                if (shown != null && object.path("metadata").path("annotations").has("k8s.io/initial-events-end")) {
                    beginning.remove(call);
                    shown.values().forEach(daemon.knowledge()::seen);
                    daemon.knowledge().listed(kind, shown.keySet());
                }
            }
            case "DELETED" -> {
                Sighting gone = KubernetesObjects.sighting(kind, object, true);
                if (shown == null) {
                    daemon.knowledge().seen(gone);
                } else {
                    shown.remove(gone.key());
                }
            }
            default -> {
                Sighting seen = KubernetesObjects.sighting(kind, object, false);
                if (shown == null) {
                    daemon.knowledge().seen(seen);
                } else {
                    shown.put(seen.key(), seen);
                }
            }
        }
    }

    private void page(HttpCall call, Kind kind, JsonNode list) {
        boolean isFirst = !String.valueOf(call.uri().getQuery()).contains("continue=");
        Set<String> keys = isFirst ? new HashSet<>() : pages.getOrDefault(kind, new HashSet<>());
        pages.put(kind, keys);
        for (JsonNode item : list.path("items")) {
            Sighting seen = KubernetesObjects.sighting(kind, item, false);
            keys.add(seen.key());
            daemon.knowledge().seen(seen);
        }
        if (list.path("metadata").path("continue").asText("").isEmpty()) {
            daemon.knowledge().listed(kind, keys);
            received(kind, list);
        }
    }
}
