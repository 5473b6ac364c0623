package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock.Hold;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of a Lease that another holder wrote, left out, as null and empty. */
class AbsentFieldsOfLeasesTest {

    private static final KubernetesSerialization JSON = new KubernetesSerialization();
    private static final String LEASE = """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
         "metadata": {"name": "lease", "annotations": {"a": "b"}, "labels": {"c": "d"}},
         "spec": {"holderIdentity": "other", "leaseDurationSeconds": 100, "leaseTransitions": 3,
          "acquireTime": "2026-01-02T03:04:05.000000Z", "renewTime": "2026-01-02T03:04:06.000000Z"}}\
        """;

    private final MemoryLease memory = new MemoryLease();
    private final FakeTime time = new FakeTime();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /metadata/annotations      | {}   | 100 | 4 | 100
        /metadata/labels           | {}   | 100 | 4 | 100
        /spec                      | {}   | 0   | * | none
        /spec/holderIdentity       | ""   | 0   | 4 | 100
        /spec/holderIdentity       | " "  | 0   | 4 | 100
        /spec/leaseDurationSeconds | 0    | 900 | 4 | none
        /spec/leaseTransitions     | 0    | 100 | 1 | 100
        /spec/leaseTransitions     | -1   | 100 | 1 | 100
        /spec/acquireTime          | null | 100 | 4 | 100
        /spec/renewTime            | null | 100 | 4 | 100
        """)
    void of_the_resource_lock(String field, String empty, int seconds, String transitions, String restored)
            throws Exception {
        for (String value : new String[] {null, "null", empty}) {
            // given
            memory.write(changed(field, value));
            LeaseResourceLock lock =
                    new LeaseResourceLock(memory.new Link(), "ours", ResourceLockSettings.DEFAULT, time);
            // when, then
            if (seconds > 0) {
                assertThat(lock.tryAcquire()).isEmpty();
                time.advance(Duration.ofSeconds(seconds - 1));
                assertThat(lock.tryAcquire()).isEmpty();
                time.advance(Duration.ofSeconds(1));
            }
            Hold hold = lock.tryAcquire().orElseThrow();
            assertThat(transitions()).isIn(transitions.equals("*") ? new Integer[] {0, 1} : transition(transitions));
            hold.close();
            assertThat(memory.get().orElseThrow().getSpec().getLeaseDurationSeconds())
                    .isEqualTo(restored(restored, value));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /metadata/annotations      | {}   | 100
        /spec                      | {}   | 0
        /spec/holderIdentity       | ""   | 0
        /spec/holderIdentity       | " "  | 0
        /spec/leaseDurationSeconds | 0    | 15
        /spec/leaseTransitions     | 0    | 100
        /spec/acquireTime          | null | 100
        /spec/renewTime            | null | 100
        """)
    void of_the_election(String field, String empty, int seconds) throws Exception {
        for (String value : new String[] {null, "null", empty}) {
            // given
            memory.write(changed(field, value));
            LeaderElection election = new LeaderElection(
                    memory.new Link(), "ours", ElectionSettings.DEFAULT, time, LeadershipListener.NONE);
            // when, then
            election.start();
            time.advance(Duration.ZERO);
            assertThat(election.isLeader()).isEqualTo(seconds == 0);
            time.advance(Duration.ofSeconds(Math.max(0, seconds - 5)));
            assertThat(election.isLeader()).isEqualTo(seconds == 0);
            time.advance(Duration.ofSeconds(10));
            assertThat(election.isLeader()).isTrue();
            election.release();
        }
    }

    private int transitions() {
        return memory.get().orElseThrow().getSpec().getLeaseTransitions();
    }

    private static Integer[] transition(String number) {
        return new Integer[] {Integer.valueOf(number)};
    }

    /** Our release restores what was there, also a duration of 0. */
    private static Integer restored(String seconds, String found) {
        return "0".equals(found) && seconds.equals("none")
                ? Integer.valueOf(0)
                : seconds.equals("none") ? null : Integer.valueOf(seconds);
    }

    private static Lease changed(String place, String value) throws Exception {
        ObjectNode tree = JSON.unmarshal(LEASE, ObjectNode.class);
        int slash = place.lastIndexOf('/');
        JsonNode parent = tree.at(place.substring(0, slash));
        String field = place.substring(slash + 1);
        assertThat(parent.has(field)).as(place).isTrue();
        if (value == null) {
            ((ObjectNode) parent).remove(field);
        } else {
            ((ObjectNode) parent).set(field, JSON.unmarshal(value, JsonNode.class));
        }
        return JSON.unmarshal(tree.toString(), Lease.class);
    }
}
