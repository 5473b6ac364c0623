package dev.poolkeeper.k8s.watch;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the reduced states of the objects of one kind and reports new, changed and deleted ones. A state counts as
 * known only after the listener accepted it: if the listener throws, it is reported again.
 *
 * <p>An object that exists but cannot be read keeps the state it had, as its deletion would take it out of service; if
 * none is known, of this uid, it counts as absent. Not thread-safe.
 */
final class ReducedStore<S> {

    private static final class Entry<S> {
        final S state;
        String uid;
        long version;

        Entry(S state, String uid, long version) {
            this.state = state;
            this.uid = uid;
            this.version = version;
        }
    }

    private final Map<String, Entry<S>> entries = new HashMap<>();
    /** The newest version that a watch reported since the last complete list. */
    private long newest;

    private final KindListener<S> listener;

    ReducedStore(KindListener<S> listener) {
        this.listener = listener;
    }

    /** {@code namespace/name}, or only the name for a cluster-scoped object. */
    static String key(ObjectMeta metadata) {
        return metadata.getNamespace() == null
                ? metadata.getName()
                : metadata.getNamespace() + "/" + metadata.getName();
    }

    /** The metadata that identifies an object and its version. */
    static ObjectMeta identity(ObjectMeta metadata) {
        return new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .withResourceVersion(metadata.getResourceVersion())
                .build();
    }

    /** An object from a list, which is its current state. */
    void listed(ObjectMeta metadata, S state) {
        seen(key(metadata), metadata, state);
    }

    /** An object from a watch; a version older than the known one is ignored. */
    void watched(ObjectMeta metadata, S state) {
        if (isShownAgain(metadata)) {
            return;
        }
        String key = key(metadata);
        Entry<S> known = entries.get(key);
        if (known == null || !known.uid.equals(uid(metadata)) || known.version <= version(metadata)) {
            seen(key, metadata, state);
        }
    }

    /** An object from a list that cannot be read. */
    void listedUnreadable(ObjectMeta metadata) {
        String key = key(metadata);
        Entry<S> known = entries.get(key);
        if (known != null && !known.uid.equals(uid(metadata))) { // deleted and recreated without an event
            removed(key);
        }
    }

    /** An object from a watch that cannot be read. */
    void watchedUnreadable(ObjectMeta metadata) {
        if (!isShownAgain(metadata)) {
            listedUnreadable(metadata);
        }
    }

    private void seen(String key, ObjectMeta metadata, S state) {
        Entry<S> known = entries.get(key);
        if (known != null && !known.uid.equals(uid(metadata))) { // deleted and recreated without an event
            removed(key);
            known = null;
        }
        if (known != null && known.state.equals(state)) {
            if (known.version < version(metadata)) {
                listener.unchanged(state);
            }
            known.version = version(metadata);
            return;
        }
        listener.changed(state);
        entries.put(key, new Entry<>(state, uid(metadata), version(metadata)));
    }

    /** An object was deleted. No effect if it is unknown, or was recreated since. */
    void removed(ObjectMeta metadata) {
        if (isShownAgain(metadata)) {
            return;
        }
        String key = key(metadata);
        Entry<S> known = entries.get(key);
        if (known != null && known.uid.equals(uid(metadata))) {
            removed(key);
        }
    }

    /** A watch that repeats events must not bring back an object whose deletion it has reported. */
    private boolean isShownAgain(ObjectMeta metadata) {
        long version = version(metadata);
        if (version < newest) {
            return true;
        }
        newest = version == Long.MAX_VALUE ? newest : version;
        return false;
    }

    private void removed(String key) {
        Entry<S> known = entries.get(key);
        if (known != null) {
            listener.deleted(known.state);
            entries.remove(key);
        }
    }

    /** After a complete list: objects that are not in it are deleted (client-go's {@code DeletedFinalStateUnknown}). */
    void retain(Set<String> keys) {
        newest = 0;
        List<String> gone = new ArrayList<>();
        entries.keySet().stream().filter(key -> !keys.contains(key)).forEach(gone::add);
        gone.forEach(this::removed);
    }

    /** The number of known objects. */
    int size() {
        return entries.size();
    }

    @Nullable
    String uid(String key) {
        Entry<S> known = entries.get(key);
        return known == null ? null : known.uid;
    }

    static String uid(ObjectMeta metadata) {
        return metadata.getUid() == null ? "" : metadata.getUid();
    }

    /** Resource versions compare as numbers (KEP-5504); a version that is not a number is never older. */
    private static long version(ObjectMeta metadata) {
        try {
            return metadata.getResourceVersion() == null
                    ? Long.MAX_VALUE
                    : Long.parseUnsignedLong(metadata.getResourceVersion());
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }
}
