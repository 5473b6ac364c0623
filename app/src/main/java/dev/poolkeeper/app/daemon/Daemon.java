package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.ProgramVersion;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life cycle of the daemon.
 *
 * <p>It first starts its pages, so that they show what it is waiting for, then the watches, the leader election and its
 * loops. It stops in this order: leadership ends, so that no call starts; the loops end; calls in progress continue
 * until the grace period is over and are then interrupted; then the Leases are released, but only if nothing is in
 * progress any more; connections and pages close last.
 *
 * <p>Call {@link #start} once; {@link #close} may be called by any thread, and repeated calls have no effect.
 */
public final class Daemon implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Daemon.class);

    private final Pages pages;
    private final Membership membership;
    private final Loops loops;
    private final Workers workers;
    private final Duration grace;
    private final Permissions permissions;
    private final Threads threads;
    private final Runnable onClosed;
    private final AtomicBoolean stopping = new AtomicBoolean();

    /**
     * @param grace how long calls may continue after a stop
     * @param onClosed called last
     */
    public Daemon(
            Pages pages,
            Membership membership,
            Loops loops,
            Workers workers,
            Duration grace,
            Permissions permissions,
            Threads threads,
            Runnable onClosed) {
        this.pages = pages;
        this.membership = membership;
        this.loops = loops;
        this.workers = workers;
        this.grace = grace;
        this.permissions = permissions;
        this.threads = threads;
        this.onClosed = onClosed;
    }

    /**
     * Starts everything and returns.
     *
     * @throws BadInputException if the pages cannot be served at their address; the caller must still close this daemon
     */
    public void start() throws BadInputException, IOException {
        pages.start();
        log.atInfo()
                .addKeyValue("version", ProgramVersion.text())
                .addKeyValue("pages", address())
                .log("Started");
        membership.start();
        threads.unstarted("poolkeeper-permissions", permissions::probe).start();
        loops.start();
    }

    /** The host and port of its pages; only after the start. */
    public String address() {
        InetSocketAddress address = pages.address();
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Stops everything in order; returns when done. */
    @Override
    public void close() {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        log.atInfo().log("Stopping");
        membership.stopLeading();
        loops.close();
        boolean clean = workers.drain(grace);
        loops.interrupt();
        membership.leave(clean);
        pages.close();
        onClosed.run();
        log.atInfo().addKeyValue("clean", clean).log("Stopped");
    }
}
