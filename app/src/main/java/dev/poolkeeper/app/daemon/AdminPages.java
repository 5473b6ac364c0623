package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.admin.HostNames;
import dev.poolkeeper.app.config.DaemonSettings.AdminSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Serves the daemon's pages over HTTP. */
public final class AdminPages implements Pages {

    private final AdminSettings settings;
    private final AdminServer.Content content;
    private volatile @Nullable AdminServer server;

    public AdminPages(AdminSettings settings, AdminServer.Content content) {
        this.settings = settings;
        this.content = content;
    }

    @Override
    public void start() throws BadInputException, IOException {
        try {
            server = AdminServer.start(
                    InetAddress.getByName(settings.address()),
                    settings.port(),
                    new HostNames(settings.hosts()),
                    content);
        } catch (BindException e) {
            throw new BadInputException(
                    new InputFault(
                            "admin.address, admin.port",
                            "",
                            "found %s port %s, must be a local address and a free port: %s"
                                    .formatted(settings.address(), settings.port(), e.getMessage())),
                    e);
        }
    }

    @Override
    public InetSocketAddress address() {
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
