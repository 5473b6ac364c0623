package dev.poolkeeper.k8s.watch;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.Map;

/**
 * Collects the initial events of a watch list. They may come from a lagging cache that catches up meanwhile, so none of
 * them counts before the bookmark at their end. Not thread-safe.
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

    /** All initial events have arrived: applies them as a complete list. */
    void moveTo(ReducedStore<S> store) {
        shown.values().forEach(one -> store.listed(one.metadata, one.state));
        store.retain(shown.keySet());
    }
}
