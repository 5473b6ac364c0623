package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store of the API server: objects with a common version counter, and the latest changes since the last compaction.
 * Stored objects are never modified. Listeners run after each change, in the thread that made it. Thread-safe; its lock
 * also guards its listeners.
 */
final class ObjectStore {

    private final InstantSource clock;
    private final int history;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private final NavigableMap<String, ObjectNode> objects = new TreeMap<>();
    private final Deque<Change> log = new ArrayDeque<>();
    private long version = 1;
    private long compacted;

    /** @param history the number of latest changes kept */
    ObjectStore(InstantSource clock, int history) {
        this.clock = clock;
        this.history = history;
    }

    private static String key(String storage, String namespace, String name) {
        return storage + "/" + namespace + "/" + name;
    }

    private static String key(String storage, ObjectNode object) {
        return key(storage, KubeJson.namespace(object), KubeJson.name(object));
    }

    @Nullable
    ObjectNode get(String storage, String namespace, String name) {
        lock.lock();
        try {
            return objects.get(key(storage, namespace, name));
        } finally {
            lock.unlock();
        }
    }

    /** Creates an object; null if one with that name exists. */
    @Nullable
    ObjectNode create(String storage, ObjectNode object) {
        lock.lock();
        try {
            if (objects.containsKey(key(storage, object))) {
                return null;
            }
            ObjectNode created = object.deepCopy();
            created.withObject("/metadata")
                    .put("uid", uid(key(storage, object)))
                    .put(
                            "creationTimestamp",
                            clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
            return changed(put("ADDED", storage, created));
        } finally {
            lock.unlock();
        }
    }

    /** Replaces an object if it is still the expected one; null if it has changed. */
    @Nullable
    ObjectNode replace(String storage, ObjectNode expected, ObjectNode object) {
        lock.lock();
        try {
            ObjectNode there = objects.get(key(storage, expected));
            if (there == null || !KubeJson.resourceVersion(there).equals(KubeJson.resourceVersion(expected))) {
                return null;
            }
            ObjectNode next = object.deepCopy();
            ObjectNode metadata = next.withObject("/metadata");
            for (String kept : List.of("uid", "creationTimestamp", "resourceVersion")) {
                metadata.set(kept, expected.path("metadata").path(kept));
            }
            return next.equals(expected) ? expected : changed(put("MODIFIED", storage, next));
        } finally {
            lock.unlock();
        }
    }

    private ObjectNode put(String type, String storage, ObjectNode object) {
        version++;
        object.withObject("/metadata").put("resourceVersion", Long.toString(version));
        ObjectNode before = type.equals("DELETED")
                ? objects.remove(key(storage, object))
                : objects.put(key(storage, object), object);
        log.addLast(new Change(version, type, storage, object, before));
        if (log.size() > history) {
            compacted = log.removeFirst().version();
        }
        return object;
    }

    /** A unique uid, the same in every run. */
    private String uid(String key) {
        return UUID.nameUUIDFromBytes((key + "@" + (version + 1)).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private ObjectNode changed(ObjectNode object) {
        List.copyOf(listeners).forEach(Runnable::run);
        return object;
    }

    /** Deletes an object and returns its last state; null if none has that name. */
    @Nullable
    ObjectNode delete(String storage, String namespace, String name) {
        lock.lock();
        try {
            ObjectNode there = objects.get(key(storage, namespace, name));
            return there == null ? null : changed(put("DELETED", storage, there.deepCopy()));
        } finally {
            lock.unlock();
        }
    }

    /** Deletes all objects in a namespace. */
    void deleteNamespace(String namespace) {
        lock.lock();
        try {
            for (String key : List.copyOf(objects.keySet())) {
                String[] parts = key.split("/", 3);
                if (parts[1].equals(namespace)) {
                    delete(parts[0], parts[1], parts[2]);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A snapshot of all objects of one kind.
     *
     * @param version the store's version
     * @param objects sorted by namespace and name
     */
    record Snapshot(long version, List<ObjectNode> objects) {}

    Snapshot list(String storage) {
        lock.lock();
        try {
            return new Snapshot(
                    version,
                    new ArrayList<>(objects.subMap(storage + "/", storage + "0").values()));
        } finally {
            lock.unlock();
        }
    }

    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** Drops the changes so far: watches and lists continued from an earlier version get a 410. */
    void compact() {
        lock.lock();
        try {
            put("COMPACTED", "", KubeJson.object()); // creates a version that no client has seen
            objects.remove(key("", "", ""));
            log.clear();
            compacted = version;
            signal();
        } finally {
            lock.unlock();
        }
    }

    boolean isCompacted(long since) {
        lock.lock();
        try {
            return since < compacted;
        } finally {
            lock.unlock();
        }
    }

    /** The changes of one kind after a version, oldest first. */
    List<Change> since(long since, String storage) {
        lock.lock();
        try {
            List<Change> changes = new ArrayList<>();
            Iterator<Change> backwards = log.descendingIterator();
            while (backwards.hasNext()) {
                Change change = backwards.next();
                if (change.version() <= since) {
                    break;
                }
                if (change.storage().equals(storage)) {
                    changes.add(change);
                }
            }
            return changes.reversed();
        } finally {
            lock.unlock();
        }
    }

    /** Runs a task under this store's lock. */
    void locked(Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    /** Adds a listener, which runs under the lock after each change and {@link #signal}. It must not block. */
    void listen(Runnable listener) {
        locked(() -> listeners.add(listener));
    }

    /** Removes a listener, which may run once more if a change is being reported. */
    void forget(Runnable listener) {
        locked(() -> listeners.remove(listener));
    }

    /** Runs the listeners after a change other than to objects. */
    void signal() {
        locked(() -> List.copyOf(listeners).forEach(Runnable::run));
    }
}
