package dev.poolkeeper.simulation.host;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.daemon.Pages;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The daemon's pages without a server. */
final class UnservedPages implements Pages {

    private final AdminServer.Content content;

    UnservedPages(AdminServer.Content content) {
        this.content = content;
    }

    /** The content of the pages. */
    AdminServer.Content content() {
        return content;
    }

    @Override
    public void start() {}

    @Override
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public void close() {}
}
