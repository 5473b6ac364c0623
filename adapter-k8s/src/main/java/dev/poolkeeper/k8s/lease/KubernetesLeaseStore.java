package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.KubernetesClients;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A Lease in a cluster. Needs the verbs {@code get} and {@code update} on the Lease, and {@code create} on Leases of
 * its namespace until it exists.
 *
 * <p>Requests use the Lease's path, composed once: Fabric8's resources compose their URL with a dozen regular
 * expressions at each request, and leader election sends one every two seconds.
 */
public final class KubernetesLeaseStore implements LeaseStore {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final KubernetesClient client;
    private final String namespace;
    private final String name;
    private final String all;
    private final String one;

    /** @param client from {@link KubernetesClients#forLeases}; the caller closes it */
    public KubernetesLeaseStore(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.namespace = namespace;
        this.name = name;
        this.all = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        this.one = all + "/" + name;
    }

    @Override
    public Optional<Lease> get() throws LeaseStoreException {
        return call("get", Set.of(), () -> Optional.ofNullable(client.raw(one)).map(this::lease));
    }

    @Override
    public Lease create(Lease lease) throws LeaseStoreException {
        return call("create", Set.of(CONFLICT), () -> {
            Lease named = lease.edit()
                    .editOrNewMetadata()
                    .withNamespace(namespace)
                    .withName(name)
                    .endMetadata()
                    .build();
            return lease(client.raw(all, "POST", named));
        });
    }

    @Override
    public Lease update(Lease lease) throws LeaseStoreException {
        return call("update", Set.of(CONFLICT, NOT_FOUND), () -> lease(client.raw(one, "PUT", lease)));
    }

    private Lease lease(String json) {
        return client.getKubernetesSerialization().unmarshal(json, Lease.class);
    }

    /** @param conflicts the status codes that mean the Lease differs from the version we know */
    private <R> R call(String verb, Set<Integer> conflicts, Supplier<R> request) throws LeaseStoreException {
        try {
            return request.get();
        } catch (RuntimeException e) {
            String message = "cannot %s Lease %s/%s at %s: %s"
                    .formatted(verb, namespace, name, client.getMasterUrl(), ApiFailure.cause(e));
            throw new LeaseStoreException(message, conflicts.contains(ApiFailure.status(e)), e);
        }
    }
}
