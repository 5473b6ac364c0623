package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.cluster.PoolLocations;
import dev.poolkeeper.core.cluster.Survey;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster view without a cluster: a map of what each Service wants in each pool, changed by the test. Changes are
 * reported to the listener as {@link dev.poolkeeper.core.cluster.EndpointIndex} reports them. Thread-safe.
 */
public final class TestClusterView implements ClusterView {

    private record Entry(AddressSet wanted, boolean adopted, boolean complete) {}

    private final Map<PoolKey, Map<ServiceName, Entry>> entries = new LinkedHashMap<>();
    private final Set<ServiceName> paused = new HashSet<>();
    private final Map<ServiceName, AddressSet> atPause = new HashMap<>();
    private boolean obeysPauses = true;
    private PoolLocations located = PoolLocations.none();
    private @Nullable ClusterChanges listener;
    private Runnable afterNextAnswer = () -> {};

    /** {@link #want(ServiceName, PoolKey, AddressSet)}. */
    public void want(ServiceName service, PoolKey pool, String... addresses) {
        want(service, pool, AddressSet.of(addresses));
    }

    /**
     * An EndpointSlice event after which this wanted set is complete: reported as adopted if it is the first complete
     * one, otherwise as changed if it differs from the last one; and as touched.
     */
    public synchronized void want(ServiceName service, PoolKey pool, AddressSet wanted) {
        Entry before = users(pool).put(service, new Entry(wanted, true, true));
        if (listener == null) {
            return;
        }
        if (before == null || !before.adopted()) {
            listener.adopted(service, pool, wanted);
        } else if (!before.wanted().equals(wanted)) {
            listener.changed(service, pool, before.wanted(), wanted);
        }
        listener.touched(service, pool);
        listener.eventEnded();
    }

    /**
     * The Service is local with this pool, and its wanted set, of which only these addresses are known, was never
     * complete.
     */
    public synchronized void wantIncompletely(ServiceName service, PoolKey pool, String... addresses) {
        users(pool).put(service, new Entry(AddressSet.of(addresses), false, false));
    }

    /** An EndpointSlice event that changes nothing. */
    public synchronized void touch(ServiceName service, PoolKey pool) {
        if (listener != null) {
            listener.touched(service, pool);
        }
    }

    /** The Service is no longer local with this pool. */
    public synchronized void leave(ServiceName service, PoolKey pool) {
        forget(service, pool);
        if (listener != null) {
            listener.left(service, pool);
            listener.eventEnded();
        }
    }

    /** Like {@link #leave}, but the listener has not been notified yet. */
    public synchronized void forget(ServiceName service, PoolKey pool) {
        users(pool).remove(service);
    }

    private Map<ServiceName, Entry> users(PoolKey pool) {
        return entries.computeIfAbsent(pool, key -> new LinkedHashMap<>());
    }

    /** The Service was edited. */
    public synchronized void edit(ServiceName service) {
        if (listener != null) {
            listener.edited(service);
        }
    }

    /** The Service's annotation pauses its pools from now on. */
    public synchronized void pause(ServiceName service) {
        paused.add(service);
        entries.values().forEach(users -> {
            if (users.containsKey(service)) {
                atPause.put(service, users.get(service).wanted());
            }
        });
    }

    /** The Service's annotation no longer pauses its pools. */
    public synchronized void resume(ServiceName service) {
        paused.remove(service);
        atPause.remove(service);
    }

    /**
     * Runs once, at the next call of {@link #isLocal}, after its result is determined, to simulate a change in between.
     */
    public synchronized void afterNextAnswer(Runnable action) {
        afterNextAnswer = action;
    }

    /** The pool locations last passed by the engine. */
    public synchronized PoolLocations located() {
        return located;
    }

    @Override
    public synchronized void listen(ClusterChanges newListener) {
        listener = newListener;
    }

    @Override
    public synchronized void locate(PoolLocations locations) {
        located = locations;
    }

    @Override
    public synchronized boolean isLocal(ServiceName service, PoolKey pool) {
        Entry entry = users(pool).get(service);
        Runnable after = afterNextAnswer;
        afterNextAnswer = () -> {};
        after.run();
        return entry != null && entry.adopted();
    }

    @Override
    public synchronized AddressSet wanted(ServiceName service, PoolKey pool) {
        Entry entry = users(pool).get(service);
        return entry == null ? AddressSet.empty() : entry.wanted();
    }

    @Override
    public synchronized AddressSet wantedByOthers(ServiceName service, PoolKey pool) {
        return users(pool).entrySet().stream()
                .filter(user -> !user.getKey().equals(service))
                .map(user -> obeysPauses
                        ? atPause.getOrDefault(user.getKey(), user.getValue().wanted())
                        : user.getValue().wanted())
                .reduce(AddressSet.empty(), AddressSet::union);
    }

    @Override
    public synchronized boolean isAdopted(ServiceName service, PoolKey pool) {
        Entry entry = users(pool).get(service);
        return entry != null && entry.adopted();
    }

    @Override
    public synchronized boolean isPaused(ServiceName service) {
        return obeysPauses && paused.contains(service);
    }

    @Override
    public synchronized void ignorePauses() {
        obeysPauses = false;
    }

    @Override
    public synchronized List<ServiceName> services(PoolKey pool) {
        return users(pool).keySet().stream().sorted().toList();
    }

    @Override
    public synchronized Survey survey() {
        List<Survey.Want> wants = new ArrayList<>();
        entries.forEach((pool, users) -> users.forEach((service, entry) -> wants.add(new Survey.Want(
                service, pool, entry.wanted(), entry.adopted(), entry.complete(), paused.contains(service)))));
        return new Survey(wants, List.of(), List.of(), List.of());
    }
}
