package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.Credential;
import dev.poolkeeper.k8s.kubeconfig.Kubeconfig.Entry;
import dev.poolkeeper.ports.Time;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a context: the cluster and the user that it names. */
final class ContextReader {

    private static final List<String> KEYS = List.of("cluster", "user", "namespace", "extensions");

    private final Kubeconfig kubeconfig;
    private final Map<String, String> environment;
    private final Time time;

    ContextReader(Kubeconfig kubeconfig, Map<String, String> environment, Time time) {
        this.kubeconfig = kubeconfig;
        this.environment = environment;
        this.time = time;
    }

    /** @param name null for the current context */
    ApiServer read(@Nullable String name) throws BadInputException {
        Entry context = kubeconfig.context(name);
        context.keys().allowOnly(KEYS);
        Kubeconfig.text(context.keys(), "namespace"); // not used: every request names its namespace
        Cluster cluster = Cluster.read(kubeconfig.named(context, "clusters", "cluster"));
        User user = Kubeconfig.text(context.keys(), "user").isEmpty()
                ? User.ANONYMOUS
                : new UserReader(kubeconfig.named(context, "users", "user"), cluster, environment, time).read();
        if (!user.equals(User.ANONYMOUS)) {
            cluster.requireTls();
        }
        Proxies proxies = cluster.proxy() == null ? Proxies.of(environment) : Proxies.always(cluster.proxy());
        kubeconfig.throwIfFaulty();
        Credential credential = user.credential();
        return new ApiServer(
                cluster.server(), cluster.tls().with(user.identity()).settings(), proxies, credential, user.headers());
    }
}
