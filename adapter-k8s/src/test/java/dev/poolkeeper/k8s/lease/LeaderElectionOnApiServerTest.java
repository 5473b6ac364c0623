package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.TestCluster;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The election over HTTP, on fake time. */
@Tag("real-cluster")
class LeaderElectionOnApiServerTest {

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final KubernetesClient client = cluster.leaseClient();
    private final LeaderElection a = election("a");
    private final LeaderElection b = election("b");

    private LeaderElection election(String name) {
        return new LeaderElection(
                new KubernetesLeaseStore(client, cluster.namespace(), "leader"),
                name,
                ElectionSettings.DEFAULT,
                time,
                LeadershipListener.NONE);
    }

    @AfterEach
    void close() {
        a.abandon();
        b.abandon();
        client.close();
        cluster.close();
    }

    private void start() {
        a.start();
        time.advance(Duration.ofSeconds(1));
        b.start();
        time.advance(Duration.ofSeconds(60));
        assertThat(a.isLeader()).isTrue();
        assertThat(b.isLeader()).isFalse();
    }

    @Test
    void a_released_lease_is_taken_by_the_standby() {
        start();

        a.stopLeading();
        a.release();
        time.advance(Duration.ofSeconds(3));

        assertThat(b.isLeader()).isTrue();
        assertThat(client.leases()
                        .inNamespace(cluster.namespace())
                        .withName("leader")
                        .get()
                        .getSpec()
                        .getLeaseTransitions())
                .isEqualTo(1);
    }

    @Test
    void a_standby_takes_over_after_the_lease_of_a_dead_leader() {
        start();

        a.abandon();
        time.advance(Duration.ofSeconds(12));
        assertThat(b.isLeader()).isFalse();
        time.advance(Duration.ofSeconds(6));

        assertThat(b.isLeader()).isTrue();
        assertThat(a.isLeader()).isFalse();
    }

    @Test
    void without_permission_no_replica_leads_and_with_it_one_does() {
        cluster.emulator().faults().deny(request -> request.resource().equals("leases"));
        a.start();
        time.advance(Duration.ofSeconds(60));
        assertThat(a.isLeader()).isFalse();

        cluster.emulator().faults().clear();
        time.advance(Duration.ofSeconds(3));

        assertThat(a.isLeader()).isTrue();
    }

    @Test
    void a_lease_is_recognised_in_the_form_the_api_server_returns() throws LeaseStoreException {
        LeaseStore store = new KubernetesLeaseStore(client, cluster.namespace(), "leader");
        OwnLeaseWrites ours = new OwnLeaseWrites(
                new LeaseStore() {
                    @Override
                    public Optional<Lease> get() throws LeaseStoreException {
                        return store.get();
                    }

                    @Override
                    public Lease create(Lease lease) throws LeaseStoreException {
                        store.create(lease);
                        throw new LeaseStoreException("no answer", false, null);
                    }

                    @Override
                    public Lease update(Lease lease) throws LeaseStoreException {
                        store.update(lease);
                        throw new LeaseStoreException("no answer", false, null);
                    }
                },
                "a");

        Lease taken = LeaseEdits.taken(null, "a", Duration.ofSeconds(15), time.instant());
        assertThatThrownBy(() -> ours.create(taken)).hasMessage("no answer");
        Lease seen = ours.get().orElseThrow();
        assertThat(ours.isOwn(seen)).isTrue();

        Lease renewed = LeaseEdits.renewed(seen, time.instant().plusNanos(1_234_567));
        assertThatThrownBy(() -> ours.update(renewed)).hasMessage("no answer");
        assertThat(ours.isOwn(ours.get().orElseThrow())).isTrue();

        store.update(
                LeaseEdits.renewed(store.get().orElseThrow(), time.instant().plusSeconds(2)));
        assertThat(ours.isOwn(ours.get().orElseThrow())).isFalse();
    }

    @Test
    void of_two_replicas_that_find_no_lease_one_leads() {
        a.start();
        b.start();
        time.advance(Duration.ofSeconds(5));

        assertThat(a.isLeader()).isNotEqualTo(b.isLeader());
    }
}
