package dev.poolkeeper.app.daemon;

import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The daemon's pages, which are open as long as it lives. */
public interface Pages extends AutoCloseable {

    /** @throws BadInputException if the configured address cannot be had */
    void start() throws BadInputException, IOException;

    /** Where they are served; only after the start. */
    InetSocketAddress address();

    @Override
    void close();
}
