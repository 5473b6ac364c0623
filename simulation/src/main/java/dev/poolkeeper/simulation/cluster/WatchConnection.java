package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.SimulatedProcess;
import dev.poolkeeper.simulation.time.Timeline;
import org.jspecify.annotations.Nullable;

/** One watch of one process, from the API server's side. What is sent arrives in order, late, or not at all. */
public final class WatchConnection {

    private static final long BOOKMARKS = 20 * Timeline.SECONDS;

    /** The client's side. */
    public interface Receiver {

        /** An object as the watch shows it. */
        void received(WatchConnection from, Sighting sighting);

        /** Nothing but a version and a sign of life. */
        void bookmark(WatchConnection from, long version);

        /** The last call: 0 for a lost connection, 200 for an end in good order, else an HTTP status. */
        void ended(WatchConnection from, int status);
    }

    private final ApiServer server;
    private final Kind kind;
    private final SimulatedProcess client;
    private final Timeline timeline;
    private final Chance chance;
    private final Network network;
    private final Receiver receiver;
    private boolean open = true;
    private boolean halfOpen;
    private long lastArrival;
    private @Nullable Sighting sentBefore;

    private WatchConnection(
            ApiServer server,
            Kind kind,
            SimulatedProcess client,
            Timeline timeline,
            Chance chance,
            Network network,
            Receiver receiver) {
        this.server = server;
        this.kind = kind;
        this.client = client;
        this.timeline = timeline;
        this.chance = chance;
        this.network = network;
        this.receiver = receiver;
    }

    /** Opens a watch that goes on from a version; the receiver hears of it later, in its process. */
    public static WatchConnection open(
            ApiServer server,
            Kind kind,
            long fromVersion,
            SimulatedProcess client,
            Timeline timeline,
            Chance chance,
            Network network,
            Receiver receiver) {
        WatchConnection connection = new WatchConnection(server, kind, client, timeline, chance, network, receiver);
        client.after(chance.between(1, 20) * Timeline.MILLIS, () -> connection.accepted(fromVersion));
        return connection;
    }

    private void accepted(long fromVersion) {
        if (!open) {
            return;
        }
        if (network.isCut()) {
            end(0);
        } else if (server.isCompacted(kind, fromVersion)) {
            end(410);
        } else {
            server.opened(this, fromVersion);
            bookmarkLater();
            client.after(chance.between(90, 250) * Timeline.SECONDS, () -> end(200));
        }
    }

    private void bookmarkLater() {
        timeline.after(BOOKMARKS, () -> {
            if (open && client.isAlive()) {
                long version = server.revision();
                arrive(() -> receiver.bookmark(this, version));
                bookmarkLater();
            }
        });
    }

    public Kind kind() {
        return kind;
    }

    public SimulatedProcess client() {
        return client;
    }

    void send(Sighting change) {
        if (change.kind() != kind || !client.isAlive()) {
            return;
        }
        arrive(() -> receiver.received(this, change));
        if (network.duplicates(chance)) {
            Sighting again = chance.happens(0.5) || sentBefore == null ? change : sentBefore;
            arrive(() -> receiver.received(this, again));
        }
        sentBefore = change;
    }

    /** In the order in which it was sent, whatever each takes. */
    private void arrive(Runnable what) {
        if (halfOpen) {
            return;
        }
        long arrival = Math.max(lastArrival, timeline.now() + network.watchLag(kind, chance));
        lastArrival = arrival;
        client.after(arrival - timeline.now(), () -> {
            if (open && !halfOpen) {
                what.run();
            }
        });
    }

    /** Silence from now on, without an error. */
    public void fallSilent() {
        halfOpen = true;
    }

    /** What was under way is lost, and the client hears that the connection is. */
    public void drop() {
        end(0);
    }

    private void end(int status) {
        if (open) {
            close();
            client.after(chance.between(1, 20) * Timeline.MILLIS, () -> receiver.ended(this, status));
        }
    }

    /** The client gives it up, or the server ends it. */
    public void close() {
        open = false;
        server.closed(this);
    }
}
