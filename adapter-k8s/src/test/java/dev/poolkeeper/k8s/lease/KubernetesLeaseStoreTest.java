package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.k8s.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("real-cluster")
class KubernetesLeaseStoreTest implements LeaseStoreContract {

    private final TestCluster cluster = new TestCluster();
    private final KubernetesClient client = cluster.leaseClient();
    private final LeaseStore store = new KubernetesLeaseStore(client, cluster.namespace(), "leader");

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public void delete() {
        client.leases().inNamespace(cluster.namespace()).withName("leader").delete();
    }
}
