package dev.poolkeeper.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The election over HTTP, on time of our own. */
@Tag("real-cluster")
class LeaderElectionOnApiServerTest {

    private final ManualTime time = new ManualTime();
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
    void who_died_is_followed_by_the_standby_after_the_lease() {
        start();

        a.abandon();
        time.advance(Duration.ofSeconds(12));
        assertThat(b.isLeader()).isFalse();
        time.advance(Duration.ofSeconds(6));

        assertThat(b.isLeader()).isTrue();
        assertThat(a.isLeader()).isFalse();
    }

    @Test
    void without_permission_nobody_leads_and_with_it_somebody_does() {
        cluster.emulator().faults().deny(request -> request.resource().equals("leases"));
        a.start();
        time.advance(Duration.ofSeconds(60));
        assertThat(a.isLeader()).isFalse();

        cluster.emulator().faults().clear();
        time.advance(Duration.ofSeconds(3));

        assertThat(a.isLeader()).isTrue();
    }

    @Test
    void of_two_that_find_no_lease_one_leads() {
        a.start();
        b.start();
        time.advance(Duration.ofSeconds(5));

        assertThat(a.isLeader()).isNotEqualTo(b.isLeader());
    }
}
