package dev.poolkeeper.simulation.cluster;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The objects of a cluster as they are, every version that was, and the watches that are open. */
public final class ApiServer {

    private final Map<Kind, TreeMap<String, Sighting>> objects = new EnumMap<>(Kind.class);
    private final Map<Kind, List<Sighting>> log = new EnumMap<>(Kind.class);
    private final Map<Kind, Long> compacted = new EnumMap<>(Kind.class);
    private final Set<WatchConnection> connections = new java.util.LinkedHashSet<>();
    private final List<Consumer<Sighting>> observers = new ArrayList<>();
    private long revision = 1000;
    private long uids;

    public ApiServer() {
        for (Kind kind : Kind.values()) {
            objects.put(kind, new TreeMap<>());
            log.put(kind, new ArrayList<>());
            compacted.put(kind, 0L);
        }
    }

    /** Hears of every change as it is made. */
    public void observe(Consumer<Sighting> observer) {
        observers.add(observer);
    }

    private TreeMap<String, Sighting> all(Kind kind) {
        return java.util.Objects.requireNonNull(objects.get(kind));
    }

    private List<Sighting> log(Kind kind) {
        return java.util.Objects.requireNonNull(log.get(kind));
    }

    public long revision() {
        return revision;
    }

    public List<Sighting> list(Kind kind) {
        return List.copyOf(all(kind).values());
    }

    public Optional<Sighting> find(Kind kind, String key) {
        return Optional.ofNullable(all(kind).get(key));
    }

    /** Creates or replaces an object. Nothing happens where it says already what is to be written. */
    public void put(Kind kind, String key, Object state) {
        Sighting before = all(kind).get(key);
        if (before != null && before.state().equals(state)) {
            return;
        }
        String uid = before == null ? "uid-" + ++uids : before.uid();
        Sighting now = Sighting.of(kind, key, uid, ++revision, state, false);
        all(kind).put(key, now);
        tell(now);
    }

    public void delete(Kind kind, String key) {
        Sighting before = all(kind).remove(key);
        if (before != null) {
            tell(Sighting.of(kind, key, before.uid(), ++revision, before.state(), true));
        }
    }

    private void tell(Sighting change) {
        log(change.kind()).add(change);
        observers.forEach(observer -> observer.accept(change));
        connections.forEach(connection -> connection.send(change));
    }

    /** From now on nobody can go on from a version before this moment. */
    public void compact(Kind kind) {
        compacted.put(kind, revision);
    }

    boolean isCompacted(Kind kind, long version) {
        return version < java.util.Objects.requireNonNull(compacted.get(kind));
    }

    void opened(WatchConnection connection, long fromVersion) {
        connections.add(connection);
        List<Sighting> changes = log(connection.kind());
        int first = changes.size();
        while (first > 0 && changes.get(first - 1).version() > fromVersion) {
            first--;
        }
        for (Sighting missed : changes.subList(first, changes.size())) {
            connection.send(missed);
        }
    }

    void closed(WatchConnection connection) {
        connections.remove(connection);
    }

    /** The watches that are open. */
    public List<WatchConnection> connections() {
        return List.copyOf(connections);
    }
}
