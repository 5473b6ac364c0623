package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.engine.TestClusterView;
import dev.poolkeeper.core.merge.Plan;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Several guards combined, and pauses. */
class GuardsTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final AddressSet ONE = AddressSet.of("10.0.0.1");
    private static final AddressSet TWO = AddressSet.of("10.0.0.2");
    private static final Plan PLAN = new Plan(POOL, List.of(WEB), ONE, TWO);
    private static final Held FIRST = new Held(Held.By.DRIFT, Optional.empty(), "first", "wait");
    private static final Held SECOND = new Held(Held.By.SAFETY_BRAKE, Optional.empty(), "second", "wait");

    /** Always returns the same verdict and records its notifications. */
    private static final class Fixed implements Guard {
        private final Verdict verdict;
        private final List<Object> heard = new ArrayList<>();

        Fixed(Verdict verdict) {
            this.verdict = verdict;
        }

        @Override
        public Verdict judge(Plan plan) {
            heard.add(plan);
            return verdict;
        }

        @Override
        public void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
            heard.add(List.of(List.copyOf(plans), List.copyOf(release)));
        }

        @Override
        public void wasRead(Plan plan) {
            heard.add("read");
        }

        @Override
        public void wasWritten(Plan plan) {
            heard.add("written");
        }

        @Override
        public void wasOverwritten(Plan plan) {
            heard.add("overwritten");
        }

        @Override
        public void succeeded(PoolKey pool, boolean write) {
            heard.add("succeeded " + write);
        }

        @Override
        public void failed(PoolKey pool, boolean write, Failure failure) {
            heard.add("failed " + write);
        }
    }

    private static Fixed holding() {
        return new Fixed(new Verdict.Hold(FIRST));
    }

    private static Fixed less(AddressSet planned, Held because) {
        return new Fixed(new Verdict.GoWithLess(planned, because));
    }

    @Test
    void a_plan_held_by_no_guard_is_written() {
        assertThat(new Guards(List.of(new Fixed(Verdict.GO), new Fixed(Verdict.GO))).judge(PLAN))
                .isEqualTo(Verdict.GO);
        assertThat(new Guards(List.of()).judge(PLAN)).isEqualTo(Verdict.GO);
    }

    @Test
    void guards_after_one_that_holds_are_not_consulted() {
        Fixed behind = new Fixed(Verdict.GO);
        assertThat(new Guards(List.of(holding(), behind)).judge(PLAN)).isEqualTo(new Verdict.Hold(FIRST));
        assertThat(behind.heard).isEmpty();
    }

    @Test
    void guards_after_one_that_holds_a_part_judge_the_rest() {
        Fixed behind = less(ONE.union(TWO), SECOND);
        AddressSet all = ONE.union(TWO);
        assertThat(new Guards(List.of(less(all, FIRST), behind)).judge(PLAN))
                .isEqualTo(new Verdict.GoWithLess(all, SECOND));
        assertThat(behind.heard).containsExactly(PLAN.withPlanned(all));
    }

    @Test
    void a_plan_with_nothing_left_is_held() {
        assertThat(new Guards(List.of(less(ONE, FIRST), new Fixed(Verdict.GO))).judge(PLAN))
                .isEqualTo(new Verdict.Hold(FIRST));
    }

    @Test
    void each_guard_gets_what_the_previous_ones_let_through() {
        Plan other = new Plan(PoolKey.of("lb-1", "shop-api"), List.of(), ONE, TWO);
        Fixed first = less(ONE.union(TWO), FIRST);
        Fixed second = holding();
        Fixed third = new Fixed(Verdict.GO);
        List<Plan> plans = List.of(PLAN, other);
        new Guards(List.of(first, second, third)).tickBegins(plans, plans);

        List<Plan> rest =
                plans.stream().map(plan -> plan.withPlanned(ONE.union(TWO))).toList();
        assertThat(first.heard.get(0)).isEqualTo(List.of(plans, plans));
        assertThat(second.heard.get(0)).isEqualTo(List.of(plans, rest));
        assertThat(third.heard).containsExactly(List.of(plans, List.of()));
    }

    @Test
    void every_guard_is_notified_of_outcomes() {
        Fixed one = new Fixed(Verdict.GO);
        Fixed other = holding();
        Guards guards = new Guards(List.of(one, other));
        guards.wasRead(PLAN);
        guards.wasWritten(PLAN);
        guards.wasOverwritten(PLAN);
        guards.succeeded(POOL, true);
        guards.failed(POOL, false, Failure.ofStatus(409, null, ArmError.ofStatus(409)));
        assertThat(one.heard).containsExactly("read", "written", "overwritten", "succeeded true", "failed false");
        assertThat(other.heard).isEqualTo(one.heard);
    }

    @Test
    void a_pause_of_all_comes_before_the_pause_of_a_service() {
        TestClusterView view = new TestClusterView();
        view.want(WEB, POOL, "10.0.0.1");
        boolean[] all = {false};
        Pauses pauses = new Pauses(() -> all[0], view::wants);
        assertThat(pauses.judge(PLAN)).isEqualTo(Verdict.GO);

        view.pause(WEB);
        assertThat(pauses.judge(PLAN))
                .isInstanceOfSatisfying(
                        Verdict.Hold.class,
                        hold -> assertThat(hold.because())
                                .isEqualTo(new Held(
                                        Held.By.SERVICE_PAUSE,
                                        Optional.empty(),
                                        "Service shop/web is paused by its annotation.",
                                        "Remove the annotation poolkeeper.dev/paused to resume.")));

        all[0] = true;
        assertThat(pauses.judge(PLAN)).isEqualTo(new Verdict.Hold(Pauses.ALL_PAUSED));
    }
}
