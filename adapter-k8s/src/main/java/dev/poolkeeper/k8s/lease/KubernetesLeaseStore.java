package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.KubernetesClients;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A Lease in a cluster. Needs the verbs {@code get} and {@code update} on the Lease, and {@code create} on Leases of
 * its namespace until it exists.
 */
public final class KubernetesLeaseStore implements LeaseStore {

    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final KubernetesClient client;
    private final NonNamespaceOperation<Lease, LeaseList, Resource<Lease>> leases;
    private final String namespace;
    private final String name;

    /** @param client from {@link KubernetesClients#forLeases}; the caller closes it */
    public KubernetesLeaseStore(KubernetesClient client, String namespace, String name) {
        this.client = client;
        this.leases = client.leases().inNamespace(namespace);
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public Optional<Lease> get() throws LeaseStoreException {
        return call(
                "get", Set.of(), () -> Optional.ofNullable(leases.withName(name).get()));
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
            return leases.resource(named).create();
        });
    }

    @Override
    public Lease update(Lease lease) throws LeaseStoreException {
        return call(
                "update",
                Set.of(CONFLICT, NOT_FOUND),
                () -> leases.resource(lease)
                        .lockResourceVersion(lease.getMetadata().getResourceVersion())
                        .update());
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
