package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.watch.KindListener;
import dev.poolkeeper.k8s.watch.KindWatch;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.k8s.watch.WatchedKind;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reports the retry policies for calls to ARM that one namespace holds, and their changes until it is closed:
 * HTTPRoutes, XBackendTrafficPolicies and ServiceProfiles, of which each kind may be missing, come later or go.
 *
 * <ul>
 *   <li>Every report is the whole of it at one moment, never a list that is half read.
 *   <li>An object that cannot be read as it is now is reported with what its last good generation said.
 *   <li>A kind that is no longer served, or an API server that does not answer, leaves the last state in force.
 * </ul>
 *
 * <p>Thread-safe. Never throws on trouble with the API server: it tries again with back-off, and says so in
 * {@link #statuses}.
 */
public final class PolicyWatcher implements AutoCloseable {

    private static final String TARGET = "metadata.name=" + ArmPolicies.SERVICE;

    private final KindWatch<Service, Boolean> target;
    private final List<PolicyWatch> kinds;

    /**
     * How a kind is doing.
     *
     * @param kind such as {@code HTTPRoute}
     * @param version that is read; empty if the API server serves none that can be read
     * @param watching whether a watch is open
     * @param trouble why not, or what went wrong last; empty if nothing did
     */
    public record KindStatus(String kind, String version, boolean watching, String trouble) {}

    /**
     * @param client from {@link KubernetesClients#forObjects}; stays the caller's to close, after this
     * @param namespace the one whose objects count
     * @param listener takes the reports, one at a time, on threads of {@code time}
     */
    public PolicyWatcher(
            KubernetesClient client,
            String namespace,
            WatchSettings settings,
            Time time,
            Consumer<PolicySnapshot> listener) {
        PolicyStore store = new PolicyStore(time, listener);
        target = new KindWatch<>(target(namespace, store), client, settings, time);
        kinds = Stream.of(PolicyKind.values())
                .map(kind -> new PolicyWatch(kind, namespace, client, settings, time, store))
                .toList();
    }

    private static WatchedKind<Service, Boolean> target(String namespace, PolicyStore store) {
        return new WatchedKind<>(
                "Service " + ArmPolicies.SERVICE,
                "api/v1/namespaces/%s/services?fieldSelector=%s&"
                        .formatted(namespace, URLEncoder.encode(TARGET, StandardCharsets.UTF_8)),
                Service.class,
                1,
                (api, options) -> {
                    options.setFieldSelector(TARGET);
                    return api.services().inNamespace(namespace).list(options);
                },
                service -> true,
                new Target(store));
    }

    /** Begins to look and watch, and returns at once. To be called once. */
    public void start() {
        target.start();
        kinds.forEach(PolicyWatch::start);
    }

    /** How each kind is doing. */
    public List<KindStatus> statuses() {
        return kinds.stream().map(PolicyWatch::status).toList();
    }

    /** A report that has begun may still end afterwards. */
    @Override
    public void close() {
        target.close();
        kinds.forEach(PolicyWatch::close);
    }

    /** Whether the Service is there. Used under the lock of its watch. */
    private static final class Target implements KindListener<Boolean> {

        private final PolicyStore store;
        private boolean exists;

        Target(PolicyStore store) {
            this.store = store;
        }

        @Override
        public void changed(Boolean state) {
            exists = true;
        }

        @Override
        public void deleted(Boolean state) {
            exists = false;
        }

        @Override
        public void settled() {
            store.target(exists);
        }
    }
}
