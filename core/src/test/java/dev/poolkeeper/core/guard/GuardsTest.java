package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.engine.TestClusterView;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.HoldCauses;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several guards combined, and pauses. */
class GuardsTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final AddressSet ONE = AddressSet.of("10.0.0.1");
    private static final AddressSet TWO = AddressSet.of("10.0.0.2");
    private static final Plan PLAN = new Plan(POOL, List.of(WEB), ONE, TWO);
    private static final HoldCause FIRST = HoldCauses.of(HoldCause.By.DRIFT);
    private static final HoldCause SECOND = HoldCauses.of(HoldCause.By.SAFETY_BRAKE);

    /** Always returns the same verdict and records what it was asked. */
    private static final class Fixed implements Guard {
        private final Verdict verdict;
        private final List<Plan> heard = new ArrayList<>();

        Fixed(Verdict verdict) {
            this.verdict = verdict;
        }

        @Override
        public Verdict judge(Plan plan) {
            heard.add(plan);
            return verdict;
        }
    }

    private static Fixed holding() {
        return new Fixed(new Verdict.Hold(FIRST));
    }

    private static Fixed less(AddressSet planned, HoldCause because) {
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
    void guards_after_one_that_leaves_nothing_are_not_asked() {
        Fixed behind = new Fixed(Verdict.GO);
        assertThat(new Guards(List.of(less(ONE, FIRST), behind)).judge(PLAN))
                .isEqualTo(new Verdict.GoWithLess(ONE, FIRST));
        assertThat(behind.heard).isEmpty();
    }

    @Test
    void what_is_let_through_of_each_plan_is_released() {
        Plan other = new Plan(PoolKey.of("lb-1", "shop-api"), List.of(), ONE, TWO);
        AddressSet both = ONE.union(TWO);
        Guard some = plan -> plan.pool().equals(POOL) ? new Verdict.GoWithLess(both, FIRST) : Verdict.GO;
        assertThat(new Guards(List.of(some)).released(List.of(PLAN, other)))
                .containsExactly(PLAN.withPlanned(both), other);
        assertThat(new Guards(List.of(some, holding())).released(List.of(PLAN, other)))
                .isEmpty();
        assertThat(new Guards(List.of(less(ONE, FIRST))).released(List.of(PLAN, other)))
                .as("nothing is left of them")
                .isEmpty();
    }

    @Test
    void a_pause_of_all_comes_before_the_pause_of_a_service() {
        TestClusterView view = new TestClusterView();
        view.want(WEB, POOL, "10.0.0.1");
        boolean[] all = {false};
        Pauses pauses = new Pauses(() -> all[0], view::wants);
        assertThat(pauses.judge(PLAN)).isEqualTo(Verdict.GO);

        view.pause(WEB);
        Verdict held = new Verdict.Hold(new HoldCause.ServicePaused(WEB));
        assertThat(pauses.judge(PLAN)).isEqualTo(held);

        ServiceName api = new ServiceName("shop", "api");
        view.want(api, POOL, "10.0.0.1");
        assertThat(pauses.judge(new Plan(POOL, List.of(), ONE, TWO))).isEqualTo(Verdict.GO);
        assertThat(pauses.judge(new Plan(POOL, List.of(WEB, api), ONE, TWO))).isEqualTo(Verdict.GO);
        view.pause(api);
        assertThat(pauses.judge(new Plan(POOL, List.of(WEB, api), ONE, TWO))).isEqualTo(held);

        all[0] = true;
        assertThat(pauses.judge(PLAN)).isEqualTo(new Verdict.Hold(new HoldCause.Paused()));
    }
}
