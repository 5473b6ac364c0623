package dev.poolkeeper.k8s.watch;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Collects the initial events of a watch list. They may come from a lagging cache that catches up meanwhile, so none of
 * them counts before the bookmark at their end. Not thread-safe.
 */
final class InitialState<S> {

    private record Shown<S>(ObjectMeta metadata, S state) {}

    /** In the order in which they were last shown. */
    private final Map<String, Shown<S>> shown = new LinkedHashMap<>();

    private final Map<String, ObjectMeta> unreadable = new HashMap<>();

    void shown(ObjectMeta metadata, S state) {
        String key = ReducedStore.key(metadata);
        shown.remove(key);
        shown.put(key, new Shown<>(ReducedStore.identity(metadata), state));
        unreadable.remove(key);
    }

    /** An object that cannot be read: what was shown of it stays, or else what the store knows of it. */
    void unreadable(ObjectMeta metadata) {
        String key = ReducedStore.key(metadata);
        Shown<S> before = shown.get(key);
        if (before == null || !ReducedStore.uid(before.metadata).equals(ReducedStore.uid(metadata))) {
            shown.remove(key);
            unreadable.put(key, ReducedStore.identity(metadata));
        }
    }

    void deleted(ObjectMeta metadata) {
        shown.remove(ReducedStore.key(metadata));
        unreadable.remove(ReducedStore.key(metadata));
    }

    /**
     * All initial events have arrived: applies them in their order, as a complete list, and returns the keys of its
     * objects.
     */
    Set<String> moveTo(ReducedStore<S> store) {
        shown.values().forEach(one -> store.listed(one.metadata, one.state));
        unreadable.values().forEach(store::listedUnreadable);
        Set<String> all = new HashSet<>(unreadable.keySet());
        all.addAll(shown.keySet());
        store.retain(all);
        return all;
    }
}
