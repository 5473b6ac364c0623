package dev.poolkeeper.k8s;

import dev.poolkeeper.contract.ConnectProxy;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.input.proxy.ProxyAddress;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.Credential;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** An API server that is reached through a proxy. */
public final class ProxiedApiServer {

    private ProxiedApiServer() {}

    public static ApiServer behind(ConnectProxy proxy) {
        return new ApiServer(
                URI.create("https://10.1.2.3:6443"),
                Optional.empty(),
                Proxies.always(new ProxyAddress("localhost", proxy.port())),
                Credential.NONE,
                Map.of());
    }
}
