package dev.poolkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of {@link PodConditions}. */
public interface PodConditionsContract {

    ReadinessCondition WAITING =
            new ReadinessCondition(false, "WaitingForPool", "Not yet.", Instant.parse("2026-11-01T12:00:00Z"));
    ReadinessCondition READY = new ReadinessCondition(
            true, "InPool", "The backend pool holds node n1", Instant.parse("2026-11-01T12:00:09Z"));

    /** The adapter under test. */
    PodConditions conditions();

    /** Creates a Pod with the label and the gate, and without the condition. */
    PodId create(String name);

    /** The Pod as a watch reports it now. */
    PodState seen(PodId pod);

    /** Deletes it immediately. */
    void delete(PodId pod);

    /** The current condition of the Pod with this namespace and name, regardless of uid; empty if it has none. */
    Optional<ReadinessCondition> condition(PodId pod);

    private PodConditions.Result set(PodState seen, ReadinessCondition condition) {
        return conditions().set(seen, condition).join();
    }

    @Test
    default void a_condition_is_set_as_given() {
        PodId pod = create("web-1");

        assertThat(set(seen(pod), WAITING)).isEqualTo(new PodConditions.Written());
        assertThat(condition(pod)).hasValue(WAITING);
    }

    @Test
    default void a_later_condition_replaces_the_previous_one() {
        PodId pod = create("web-1");
        set(seen(pod), WAITING);

        assertThat(set(seen(pod), READY)).isEqualTo(new PodConditions.Written());
        assertThat(condition(pod)).hasValue(READY);
    }

    @Test
    default void other_pods_stay_as_they_are() {
        PodId pod = create("web-1");
        PodId other = create("web-2");
        set(seen(other), WAITING);

        set(seen(pod), READY);

        assertThat(condition(other)).hasValue(WAITING);
    }

    @Test
    default void a_pod_that_is_gone_is_outdated() {
        PodId pod = create("web-1");
        PodState seen = seen(pod);
        delete(pod);

        assertThat(set(seen, READY)).isInstanceOf(PodConditions.Outdated.class);
    }

    @Test
    default void another_pod_of_that_name_is_not_touched() {
        PodId old = create("web-1");
        PodState seen = seen(old);
        delete(old);
        PodId now = create("web-1");

        assertThat(set(seen, READY)).isInstanceOf(PodConditions.Outdated.class);
        assertThat(condition(now)).isEmpty();
    }

    @Test
    default void a_stale_view_does_not_close_a_gate() {
        PodId pod = create("web-1");
        PodState stale = seen(pod);
        set(stale, READY);

        assertThat(set(stale, WAITING)).isInstanceOf(PodConditions.Outdated.class);
        assertThat(condition(pod)).hasValue(READY);
    }

    @Test
    default void a_stale_view_may_open_a_gate() {
        PodId pod = create("web-1");
        PodState stale = seen(pod);
        set(stale, WAITING);

        assertThat(set(stale, READY)).isEqualTo(new PodConditions.Written());
        assertThat(condition(pod)).hasValue(READY);
    }
}
