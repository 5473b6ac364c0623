package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.k8s.watch.ReducedStore;
import dev.poolkeeper.simulation.cluster.ApiServer;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.Network;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.cluster.WatchConnection;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.SimulatedProcess;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists one kind in pages and watches it from there, with the rules of {@code adapter-k8s}: lists again after 410 and
 * regularly, opens a watch anew that ended or fell silent, and believes only a whole list that something is gone. What
 * is kept is the adapter's own {@link ReducedStore}.
 */
final class SimulatedWatch implements WatchConnection.Receiver {

    private static final int PAGE = 8;
    private static final long STALL = 50 * Timeline.SECONDS;
    private static final long RELIST = 180 * Timeline.SECONDS;

    /** What the API server said to this process, whatever the process makes of it. */
    interface Wire {
        void seen(Sighting sighting);

        void listed(Kind kind, Set<String> keys);

        void relisting(Kind kind, int status);
    }

    private final Kind kind;
    private final ApiServer server;
    private final SimulatedProcess process;
    private final Timeline timeline;
    private final Network network;
    private final Chance chance;
    private final ReducedStore<Object> store;
    private final Wire wire;
    private final boolean forgetsOnRelist;
    private boolean synced;
    private boolean listing;
    private long version;
    private long failures;
    private long lastSign;
    private @Nullable WatchConnection connection;
    private Timeline.@Nullable Event relist;

    SimulatedWatch(
            Kind kind,
            ApiServer server,
            SimulatedProcess process,
            Timeline timeline,
            Network network,
            Chance chance,
            ReducedStore<Object> store,
            Wire wire,
            boolean forgetsOnRelist) {
        this.kind = kind;
        this.server = server;
        this.process = process;
        this.timeline = timeline;
        this.network = network;
        this.chance = chance;
        this.store = store;
        this.wire = wire;
        this.forgetsOnRelist = forgetsOnRelist;
    }

    boolean hasSynced() {
        return synced;
    }

    void start() {
        process.start(this::list);
    }

    private void close() {
        WatchConnection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    private void list() {
        if (listing) {
            return;
        }
        listing = true;
        try {
            listAndWatch();
        } finally {
            listing = false;
        }
    }

    private void listAndWatch() {
        close();
        if (relist != null) {
            relist.cancel();
        }
        if (forgetsOnRelist) {
            store.retain(Set.of());
        }
        rest();
        List<Sighting> all = server.list(kind);
        long at = server.revision();
        Set<String> seen = new HashSet<>();
        for (int from = 0; from == 0 || from < all.size(); from += PAGE) {
            rest();
            if (network.isCut() || chance.happens(0.005)) {
                process.startAfter(backoff(), this::list);
                return;
            }
            for (Sighting item : all.subList(from, Math.min(all.size(), from + PAGE))) {
                wire.seen(item);
                store.listed(item.meta(), item.state());
                seen.add(ReducedStore.key(item.meta()));
            }
        }
        wire.listed(kind, seen);
        store.retain(seen);
        synced = true;
        version = at;
        relist = process.startAfter((long) (RELIST * (0.9 + 0.2 * chance.draw())), this::list);
        watch();
    }

    private void rest() {
        if (!process.sleep(network.requestNanos(chance))) {
            throw new IllegalStateException("nobody interrupts a watch");
        }
    }

    private void watch() {
        close();
        lastSign = timeline.now();
        WatchConnection opened = WatchConnection.open(server, kind, version, process, timeline, chance, network, this);
        connection = opened;
        checkForStall(opened, STALL);
    }

    private void checkForStall(WatchConnection checked, long wait) {
        process.after(wait, () -> {
            if (checked.equals(connection)) {
                long silent = timeline.now() - lastSign;
                if (silent < STALL) {
                    checkForStall(checked, STALL - silent);
                } else {
                    watch();
                }
            }
        });
    }

    private long backoff() {
        long base = Math.min(800 * Timeline.MILLIS << Math.min(failures++, 5), 30 * Timeline.SECONDS);
        return base + (long) (base * chance.draw());
    }

    @Override
    public void received(WatchConnection from, Sighting sighting) {
        if (!from.equals(connection)) {
            return;
        }
        lastSign = timeline.now();
        failures = 0;
        wire.seen(sighting);
        if (sighting.deleted()) {
            store.removed(sighting.meta());
        } else {
            store.watched(sighting.meta(), sighting.state());
        }
        version = sighting.version();
    }

    @Override
    public void bookmark(WatchConnection from, long at) {
        if (from.equals(connection)) {
            lastSign = timeline.now();
            version = at;
        }
    }

    @Override
    public void ended(WatchConnection from, int status) {
        if (!from.equals(connection)) {
            return;
        }
        close();
        wire.relisting(kind, status);
        if (status == 410) {
            process.startAfter(backoff(), this::list);
        } else if (status == 200) {
            watch();
        } else {
            process.after(backoff(), () -> {
                if (connection == null) {
                    watch();
                }
            });
        }
    }
}
