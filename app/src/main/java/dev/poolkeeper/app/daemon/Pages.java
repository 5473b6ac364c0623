package dev.poolkeeper.app.daemon;

import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The daemon's pages, open as long as the daemon runs. */
public interface Pages extends AutoCloseable {

    /** @throws BadInputException if they cannot be served at the configured address */
    void start() throws BadInputException, IOException;

    /** The address they are served at; only after the start. */
    InetSocketAddress address();

    @Override
    void close();
}
