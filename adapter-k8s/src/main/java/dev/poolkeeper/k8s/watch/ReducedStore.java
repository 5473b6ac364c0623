package dev.poolkeeper.k8s.watch;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of the objects of one kind, and what a new sight of one means for those who listen. A state counts as
 * known only after the listener took it: if the listener fails, it is reported again. Not thread-safe.
 */
public final class ReducedStore<S> {

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
    /** The newest version that a watch showed since the last whole list. */
    private long newest;

    private final Consumer<S> changed;
    private final Consumer<S> deleted;

    /**
     * @param changed takes a state that is new, or another one than before
     * @param deleted takes the last state of an object that is gone
     */
    public ReducedStore(Consumer<S> changed, Consumer<S> deleted) {
        this.changed = changed;
        this.deleted = deleted;
    }

    /** {@code namespace/name}, or the name alone where there is no namespace. */
    public static String key(ObjectMeta metadata) {
        return metadata.getNamespace() == null
                ? metadata.getName()
                : metadata.getNamespace() + "/" + metadata.getName();
    }

    /** What distinguishes one object, and its versions, from others. */
    static ObjectMeta identity(ObjectMeta metadata) {
        return new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .withResourceVersion(metadata.getResourceVersion())
                .build();
    }

    /** An object as a list shows it, which is how it is now. */
    public void listed(ObjectMeta metadata, S state) {
        seen(key(metadata), metadata, state);
    }

    /** An object as a watch shows it; an older sight than the one that is known says nothing. */
    public void watched(ObjectMeta metadata, S state) {
        if (isShownAgain(metadata)) {
            return;
        }
        String key = key(metadata);
        Entry<S> known = entries.get(key);
        if (known == null || !known.uid.equals(uid(metadata)) || known.version <= version(metadata)) {
            seen(key, metadata, state);
        }
    }

    private void seen(String key, ObjectMeta metadata, S state) {
        Entry<S> known = entries.get(key);
        if (known != null && !known.uid.equals(uid(metadata))) { // deleted and created again unseen
            removed(key);
            known = null;
        }
        if (known != null && known.state.equals(state)) {
            known.version = version(metadata);
            return;
        }
        changed.accept(state);
        entries.put(key, new Entry<>(state, uid(metadata), version(metadata)));
    }

    /** An object is gone. Without effect if it is not known, or was created again since. */
    public void removed(ObjectMeta metadata) {
        if (isShownAgain(metadata)) {
            return;
        }
        String key = key(metadata);
        Entry<S> known = entries.get(key);
        if (known != null && known.uid.equals(uid(metadata))) {
            removed(key);
        }
    }

    /** A watch that repeats itself must not bring back what it has shown the end of. */
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
            deleted.accept(known.state);
            entries.remove(key);
        }
    }

    /** After a whole list: what it did not show is gone (client-go's {@code DeletedFinalStateUnknown}). */
    public void retain(Set<String> keys) {
        newest = 0;
        List<String> gone = new ArrayList<>();
        entries.keySet().stream().filter(key -> !keys.contains(key)).forEach(gone::add);
        gone.forEach(this::removed);
    }

    /** How many objects are known. */
    public int size() {
        return entries.size();
    }

    @Nullable
    String uid(String key) {
        Entry<S> known = entries.get(key);
        return known == null ? null : known.uid;
    }

    private static String uid(ObjectMeta metadata) {
        return metadata.getUid() == null ? "" : metadata.getUid();
    }

    /** Resource versions compare as numbers (KEP-5504); one that is none is never older. */
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
