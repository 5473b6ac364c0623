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
 * Reports the retry policies for calls to ARM in one namespace, and their changes, until it is closed: HTTPRoutes,
 * XBackendTrafficPolicies and ServiceProfiles. Any of these kinds may be missing, or be installed or removed later.
 *
 * <ul>
 *   <li>Every report is a complete snapshot, never a partly read list.
 *   <li>An object whose current generation cannot be read is reported with its last readable generation.
 *   <li>If a kind is no longer served or the API server does not respond, the last state stays in force.
 * </ul>
 *
 * <p>Thread-safe. Never throws on trouble with the API server: it retries with back-off and reports the error in
 * {@link #statuses}.
 */
public final class PolicyWatcher implements AutoCloseable {

    private static final String TARGET = "metadata.name=" + ArmPolicies.SERVICE;

    private final KindWatch<Service, Boolean> target;
    private final List<PolicyWatch> kinds;

    /**
     * The state of the watch of one kind.
     *
     * @param kind such as {@code HTTPRoute}
     * @param version the version that is read; empty if the API server serves none that we can read
     * @param watching whether a watch is open
     * @param trouble why not, or the last error; empty if there is none
     */
    public record KindStatus(String kind, String version, boolean watching, String trouble) {}

    /**
     * @param client from {@link KubernetesClients#forObjects}; the caller closes it, after this
     * @param namespace the namespace whose policies apply
     * @param listener receives the snapshots, one at a time, on threads of {@code time}
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
                service -> true,
                new Target(store));
    }

    /** Starts discovery and watches, and returns at once. Must be called only once. */
    public void start() {
        target.start();
        kinds.forEach(PolicyWatch::start);
    }

    /** The state of the watch of each kind. */
    public List<KindStatus> statuses() {
        return kinds.stream().map(PolicyWatch::status).toList();
    }

    /** A call to the listener that is in progress may still end afterwards. */
    @Override
    public void close() {
        target.close();
        kinds.forEach(PolicyWatch::close);
    }

    /** Tracks whether the Service exists. Guarded by the lock of its watch. */
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
