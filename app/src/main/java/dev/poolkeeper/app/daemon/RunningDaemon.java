package dev.poolkeeper.app.daemon;

import dev.poolkeeper.fake.input.BadInputException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/** A daemon that was started and has not been stopped. Thread-safe. */
public final class RunningDaemon implements AutoCloseable {

    private final Daemon daemon;
    private final InetSocketAddress address;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RunningDaemon(Daemon daemon, InetSocketAddress address) {
        this.daemon = daemon;
        this.address = address;
    }

    /** Starts it. */
    public static RunningDaemon start(Daemon daemon) throws BadInputException, IOException {
        return new RunningDaemon(daemon, daemon.start());
    }

    /** Where its pages are, as host and port. */
    public String address() {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Stops it, in order; once. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            daemon.stop();
        }
    }
}
