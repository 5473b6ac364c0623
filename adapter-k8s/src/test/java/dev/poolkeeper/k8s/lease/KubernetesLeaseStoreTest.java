package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.TestCluster;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({"get, ''", "create, 409", "update, 404 409"})
    void of_all_answers_only_those_are_a_conflict_that_tell_of_another_version(String verb, String expected)
            throws Exception {
        Lease lease = LeaseEdits.taken(null, "a", Duration.ofSeconds(15), FakeTime.START);
        List<String> conflicts = new ArrayList<>();
        for (int status : new int[] {400, 401, 403, 409, 404, 410, 422, 429, 500, 503}) {
            cluster.emulator().faults().fail(request -> request.resource().equals("leases"), status, 1);
            LeaseStoreException failed = catchThrowableOfType(LeaseStoreException.class, () -> {
                switch (verb) {
                    case "get" -> store.get();
                    case "create" -> store.create(lease);
                    default -> store.update(lease);
                }
            });
            if (verb.equals("get") && status == 404) {
                assertThat(failed).isNull();
                continue;
            }
            assertThat(failed)
                    .hasMessageStartingWith("cannot " + verb + " Lease shop/leader at " + client.getMasterUrl())
                    .hasMessageContaining(": HTTP " + status);
            if (failed.isConflict()) {
                conflicts.add(Integer.toString(status));
            }
        }
        assertThat(String.join(" ", conflicts.stream().sorted().toList())).isEqualTo(expected);
    }
}
