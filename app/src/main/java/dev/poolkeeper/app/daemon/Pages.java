package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.config.DaemonSettings.AdminSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The daemon's pages, which are open as long as it lives. */
public final class Pages implements AutoCloseable {

    private final AdminSettings settings;
    private final AdminServer.Content content;
    private volatile @Nullable AdminServer server;

    public Pages(AdminSettings settings, AdminServer.Content content) {
        this.settings = settings;
        this.content = content;
    }

    /** @throws BadInputException if the configured address cannot be had */
    void start() throws BadInputException, IOException {
        try {
            server = AdminServer.start(InetAddress.getByName(settings.address()), settings.port(), content);
        } catch (BindException e) {
            throw new BadInputException(
                    new InputFault(
                            "admin.address, admin.port",
                            "",
                            "found %s port %d, must be an address of this machine and a free port: %s"
                                    .formatted(settings.address(), settings.port(), e.getMessage())),
                    e);
        }
    }

    /** Where they are served; only after the start. */
    InetSocketAddress address() {
        return Objects.requireNonNull(server, "not started").address();
    }

    @Override
    public void close() {
        AdminServer started = server;
        if (started != null) {
            started.close();
        }
    }
}
