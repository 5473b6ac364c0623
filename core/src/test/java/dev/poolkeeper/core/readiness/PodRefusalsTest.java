package dev.poolkeeper.core.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waits of one, two, four seconds and so on, on a monotonic clock that overflows in the meantime. */
class PodRefusalsTest {

    private static final long START = Long.MAX_VALUE - 500_000_000;

    private final Refusals refusals = new Refusals(new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30)));

    private static PodState pod(String namespace, int number) {
        return new PodState(
                new PodId(namespace, "web-" + number, namespace + "-" + number),
                Map.of(),
                true,
                false,
                Optional.of("n1"),
                List.of(),
                Optional.empty(),
                "1");
    }

    private static long after(long millis) {
        return START + millis * 1_000_000;
    }

    private void fail(int pods, boolean answered) {
        for (int i = 0; i < pods; i++) {
            refusals.failed(pod("shop", i), answered, START);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "3, 1000", "4, 1000", "5, 1000", "6, 2000", "8, 2000", "9, 4000"})
    void a_namespace_waits_longer_after_each_three_refusals_in_a_row(int failures, long millis) {
        fail(failures, true);
        assertThat(refusals.waits("shop", after(millis))).isFalse();
        assertThat(refusals.waits("shop", after(millis - 1))).isEqualTo(millis > 0);
        assertThat(refusals.waits("bank", START)).isFalse();
    }

    @Test
    void what_was_refused_before_waits_with_its_namespace_and_others_do_not() {
        fail(6, true);
        assertThat(refusals.isDue(pod("shop", 0), after(1_000)))
                .as("its own wait is over")
                .isFalse();
        assertThat(refusals.isDue(pod("shop", 0), after(2_000))).isTrue();
        assertThat(refusals.isDue(pod("shop", 9), START)).isTrue();
    }

    @Test
    void a_pod_waits_by_itself_after_each_refusal() {
        fail(1, true);
        assertThat(refusals.isDue(pod("shop", 0), after(999))).isFalse();
        assertThat(refusals.isDue(pod("shop", 0), after(1_000))).isTrue();
        fail(1, true);
        assertThat(refusals.isDue(pod("shop", 0), after(1_999))).isFalse();
        assertThat(refusals.isDue(pod("shop", 0), after(2_000))).isTrue();
        assertThat(refusals.failures(pod("shop", 0))).isEqualTo(2);
        assertThat(refusals.failures(pod("shop", 1))).isZero();
    }

    @Test
    void all_pods_of_a_namespace_wait_after_one_request_without_an_answer() {
        fail(1, false);
        assertThat(refusals.isDue(pod("shop", 9), after(999))).isFalse();
        assertThat(refusals.isDue(pod("shop", 9), after(1_000))).isTrue();
        assertThat(refusals.isDue(pod("bank", 9), START)).isTrue();
    }

    @Test
    void a_request_that_is_accepted_ends_the_wait_of_its_pod_and_namespace() {
        fail(3, false);
        refusals.failed(pod("bank", 0), false, START);
        refusals.answered(pod("shop", 0));
        assertThat(refusals.isDue(pod("shop", 0), START)).isTrue();
        assertThat(refusals.isDue(pod("shop", 1), START)).as("its own wait").isFalse();
        assertThat(refusals.isDue(pod("shop", 9), START)).isTrue();
        assertThat(refusals.isTroubled("shop")).isFalse();
        assertThat(refusals.isTroubled("bank")).isTrue();
        assertThat(refusals.count()).isEqualTo(3);
    }

    @Test
    void what_waits_no_longer_is_forgotten() {
        fail(3, false);
        refusals.failed(pod("bank", 0), false, START);
        refusals.retain(Set.of("shop-1"), Set.of("shop"));
        assertThat(refusals.count()).isOne();
        assertThat(refusals.failures(pod("shop", 1))).isOne();
        assertThat(refusals.failures(pod("shop", 0))).isZero();
        assertThat(refusals.isTroubled("shop")).isTrue();
        assertThat(refusals.isTroubled("bank")).isFalse();
        assertThat(refusals.isDue(pod("bank", 0), START)).isTrue();
    }
}
