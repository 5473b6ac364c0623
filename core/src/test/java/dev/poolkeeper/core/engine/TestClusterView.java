package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.cluster.Unplaced;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cluster view without a cluster: a map of what each Service wants in each pool, changed by the test. Changes are
 * reported to the listener as {@link dev.poolkeeper.core.cluster.EndpointIndex} reports them. Thread-safe.
 */
public final class TestClusterView implements ClusterView {

    private final Map<PoolKey, Map<ServiceName, Want>> entries = new LinkedHashMap<>();
    private final Set<ServiceName> paused = new HashSet<>();
    private @Nullable ClusterChanges listener;
    private volatile Runnable asked = () -> {};

    /** {@link #want(ServiceName, PoolKey, AddressSet)}. */
    public void want(ServiceName service, PoolKey pool, String... addresses) {
        want(service, pool, AddressSet.of(addresses));
    }

    /** An EndpointSlice event after which this wanted set is complete. */
    public void want(ServiceName service, PoolKey pool, AddressSet wanted) {
        change(() -> {
            report(new Want(service, pool, wanted, true, true, true, paused.contains(service)));
            if (listener != null) {
                listener.touched(service, pool);
                listener.eventEnded();
            }
        });
    }

    /**
     * The Service is local with this pool, and its wanted set, of which only these addresses are known, was never
     * complete; no slice of it has been seen since.
     */
    public void wantIncompletely(ServiceName service, PoolKey pool, String... addresses) {
        change(() -> {
            report(new Want(service, pool, AddressSet.of(addresses), false, false, false, paused.contains(service)));
        });
    }

    private void change(Runnable change) {
        ClusterChanges told;
        synchronized (this) {
            change.run();
            told = listener;
        }
        if (told != null) {
            told.released();
        }
    }

    private void report(Want now) {
        Want before = users(now.pool()).put(now.service(), now);
        if (listener != null) {
            listener.wants(before, now);
        }
    }

    /** What the Services of this pool want in it. */
    public synchronized Wants wants(PoolKey pool) {
        Wants wants = Wants.NONE;
        for (Want want : users(pool).values()) {
            wants = wants.with(want);
        }
        return wants;
    }

    /** An EndpointSlice event that changes nothing. */
    public void touch(ServiceName service, PoolKey pool) {
        change(() -> {
            if (listener != null) {
                listener.touched(service, pool);
            }
        });
    }

    /** The Service is no longer local with this pool. */
    public void leave(ServiceName service, PoolKey pool) {
        change(() -> {
            users(pool).remove(service);
            if (listener != null) {
                listener.left(service, pool);
                listener.eventEnded();
            }
        });
    }

    private Map<ServiceName, Want> users(PoolKey pool) {
        return entries.computeIfAbsent(pool, key -> new LinkedHashMap<>());
    }

    /** The Service was edited. */
    public void edit(ServiceName service) {
        change(() -> {
            if (listener != null) {
                listener.edited(service);
            }
        });
    }

    /** The Service's annotation pauses its pools from now on. */
    public void pause(ServiceName service) {
        change(() -> {
            paused.add(service);
            reportPause(service);
        });
    }

    /** The Service's annotation no longer pauses its pools. */
    public void resume(ServiceName service) {
        change(() -> {
            paused.remove(service);
            reportPause(service);
        });
    }

    private void reportPause(ServiceName service) {
        for (Map<ServiceName, Want> users : entries.values()) {
            Want want = users.get(service);
            if (want != null) {
                report(want.withPaused(paused.contains(service)));
            }
        }
    }

    @Override
    public synchronized void listen(ClusterChanges newListener) {
        listener = newListener;
    }

    /** Runs whenever the engine asks for something, from now on. */
    public void onAsked(Runnable task) {
        asked = task;
    }

    @Override
    public void locate(Collection<PoolKey> pools) {
        asked.run();
    }

    @Override
    public Optional<Instant> nextEnd() {
        asked.run();
        return Optional.empty();
    }

    @Override
    public void endWaits() {
        asked.run();
    }

    @Override
    public Unplaced unplaced() {
        asked.run();
        return Unplaced.NONE;
    }
}
