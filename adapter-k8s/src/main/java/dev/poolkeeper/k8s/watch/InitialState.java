package dev.poolkeeper.k8s.watch;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.Map;

/**
 * What a watch that begins with everything there is has shown so far. It may begin with what a lagging cache holds, and
 * catches up while it goes on; so nothing of it counts before its end bookmark. Not thread-safe.
 */
final class InitialState<S> {

    private record Shown<S>(ObjectMeta metadata, S state) {}

    private final Map<String, Shown<S>> shown = new HashMap<>();

    void shown(ObjectMeta metadata, S state) {
        shown.put(ReducedStore.key(metadata), new Shown<>(ReducedStore.identity(metadata), state));
    }

    void deleted(ObjectMeta metadata) {
        shown.remove(ReducedStore.key(metadata));
    }

    /** All of it was shown: as a list of everything. */
    void moveTo(ReducedStore<S> store) {
        shown.values().forEach(one -> store.listed(one.metadata, one.state));
        store.retain(shown.keySet());
    }
}
