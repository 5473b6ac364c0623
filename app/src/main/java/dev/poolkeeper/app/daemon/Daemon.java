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
 * The daemon's life.
 *
 * <p>It starts with its pages, so that they show what it waits for, then watches, stands for election, and turns its
 * loops. It stops in this order: leadership stops counting, so that no call starts; the loops end; calls that are in
 * progress go on until the grace period is over, then are interrupted; only then the Leases are given back, and only if
 * nothing is in progress any more; connections and pages close last.
 *
 * <p>{@link #start} once; {@link #close} by any thread, and again without effect.
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
     * @param grace how long calls may go on after a stop
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
     * @throws BadInputException if the pages' address cannot be had; what was made for this daemon has to be closed
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

    /** Where its pages are, as host and port; only after the start. */
    public String address() {
        InetSocketAddress address = pages.address();
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Stops everything, in order, and returns when that is done. */
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
