package dev.poolkeeper.k8s.permissions;

import static dev.poolkeeper.k8s.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.contract.ServiceEventsContract;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.k8s.events.EventSettings;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.KubernetesLeaseStore;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.k8s.policies.PolicyStatusWriter;
import dev.poolkeeper.k8s.policies.PolicyWatcher;
import dev.poolkeeper.k8s.readiness.KubernetesPodConditions;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.k8s.watch.PodScope;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Term;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole adapter at once: it requests exactly what the documentation grants. */
class PermissionsTest {

    private static final List<String> POLICIES = List.of("""
        {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
         "metadata":{"name":"budget","namespace":"kube-system"},
         "spec":{"targetRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}]}}\
        """, """
        {"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute",
         "metadata":{"name":"calls","namespace":"kube-system"},
         "spec":{"parentRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}]}}\
        """);

    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final KubernetesClient leases = cluster.leaseClient();

    @AfterEach
    void close() {
        leases.close();
        cluster.close();
    }

    @Test
    void the_requested_permissions_are_the_documented_ones() {
        KubeEmulator emulator = cluster.emulator();
        int before = emulator.requests().size();
        ClusterWatcher watcher = new ClusterWatcher(
                cluster.client(),
                WatchSettings.DEFAULT,
                time,
                List.of(new ObservedCluster()),
                Optional.of(new PodScope(List.of())));
        LeaderElection election = new LeaderElection(
                new KubernetesLeaseStore(leases, "kube-system", "leader"),
                "me",
                ElectionSettings.DEFAULT,
                time,
                LeadershipListener.NONE);
        LeaseResourceLock lock = new LeaseResourceLock(
                new KubernetesLeaseStore(leases, ResourceLockSettings.NAMESPACE, ResourceLockSettings.NAME),
                "me",
                ResourceLockSettings.DEFAULT,
                time);
        KubernetesServiceEvents events =
                new KubernetesServiceEvents(cluster.client(), EventSettings.of("me"), time, name -> Optional.empty());

        PolicyStatusWriter statuses = new PolicyStatusWriter(cluster.client(), "me", time);
        PolicyWatcher policies = new PolicyWatcher(
                cluster.client(),
                "kube-system",
                WatchSettings.DEFAULT,
                time,
                snapshot -> statuses.setStandings(snapshot.standings(ArmPolicies.NONE)));

        emulator.faults().refuseWatchLists(true); // otherwise it would list nothing
        statuses.lead(Term.untilEnded());
        for (String object : POLICIES) {
            emulator.apply(object);
        }
        policies.start();
        watcher.start();
        election.start();
        until(time, "synced", () -> watcher.hasSynced() && emulator.openWatches() == 8);
        until(
                time,
                "statuses are written",
                () -> emulator.requests().stream()
                                .filter(request -> request.verb().equals("update")
                                        && request.subresource().equals("status"))
                                .count()
                        == 2);
        policies.close();
        ResourceLock.Hold hold = lock.tryAcquire().orElseThrow();
        events.emit(ServiceEventsContract.EVENT);
        events.emit(ServiceEventsContract.EVENT);
        new KubernetesPodConditions(cluster.client(), time)
                .set(
                        new PodState(
                                new PodId("shop", "none", "uid"),
                                Map.of(),
                                true,
                                false,
                                Optional.empty(),
                                List.of(),
                                Optional.empty(),
                                "1"),
                        new ReadinessCondition(true, "InPool", "", Instant.EPOCH))
                .join();
        time.advance(Duration.ofSeconds(12));
        assertThat(hold.isHeld()).isTrue();
        hold.close();
        assertThat(election.isLeader()).isTrue();
        election.release();
        watcher.close();

        Set<String> asked = emulator.requests().stream()
                .skip(before)
                .map(request -> request.verb() + " " + request.resource()
                        + (request.subresource().isEmpty() ? "" : "/" + request.subresource()) + "."
                        + request.group())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(asked).isEqualTo(Permissions.documented());
    }
}
