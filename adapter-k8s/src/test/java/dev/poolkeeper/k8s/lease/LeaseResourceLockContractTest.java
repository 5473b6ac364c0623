package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.contract.ResourceLockContract;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.ResourceLock;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("real-cluster")
class LeaseResourceLockContractTest implements ResourceLockContract {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final KubernetesClient client = cluster.leaseClient();
    private final LeaseStore store = new KubernetesLeaseStore(client, cluster.namespace(), "locker");
    private final LeaseResourceLock lock =
            new LeaseResourceLock(store, "poolkeeper_1", ResourceLockSettings.DEFAULT, time);

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Override
    public ResourceLock lock() {
        return lock;
    }

    @Override
    public void takenByAnother() {
        write("another-writer");
    }

    @Override
    public void givenBackByAnother() {
        write(null);
    }

    private void write(String holder) {
        try {
            Lease there = store.get().orElse(null);
            Lease taken = LeaseEdits.taken(there, "another-writer", Duration.ofMinutes(15), time.instant());
            Lease wanted = holder == null ? LeaseEdits.released(taken, time.instant()) : taken;
            if (there == null) {
                store.create(wanted);
            } else {
                store.update(wanted);
            }
        } catch (LeaseStoreException e) {
            throw new AssertionError(e);
        }
        time.advance(Duration.ofSeconds(10)); // a renewal notices
    }
}
