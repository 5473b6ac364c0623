package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.engine.TestClusterView;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedPoolsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "a-b-c");
    private static final ServiceName OURS = new ServiceName("a", "b-c");
    private static final ServiceName OTHER = new ServiceName("a-b", "c");
    private static final AddressSet HELD = AddressSet.of("10.0.0.1");
    private static final AddressSet WANTED = AddressSet.of("10.0.0.9");

    private final TestClusterView view = new TestClusterView();
    private final SharedPools guard = new SharedPools(view::wants);

    private Verdict judge(AddressSet planned) {
        return guard.judge(new Plan(POOL, List.of(OURS), HELD, planned));
    }

    @Test
    void a_pool_is_emptied_where_no_other_service_wants_anything_in_it() {
        assertThat(judge(AddressSet.empty())).isEqualTo(Verdict.GO);
        view.want(OTHER, POOL);
        assertThat(judge(AddressSet.empty())).isEqualTo(Verdict.GO);
    }

    @Test
    void a_pool_is_not_emptied_but_gets_what_another_service_wants() {
        view.want(OTHER, POOL, WANTED);
        assertThat(judge(AddressSet.empty())).isInstanceOfSatisfying(Verdict.GoWithLess.class, less -> {
            assertThat(less.planned()).isEqualTo(WANTED);
            assertThat(less.because().by()).isEqualTo(HoldCause.By.SHARED_POOL);
        });
        assertThat(judge(AddressSet.of("10.0.0.2"))).isEqualTo(Verdict.GO);
    }

    @Test
    void another_service_whose_set_was_never_complete_holds_nothing_back_but_what_it_wants_so_far() {
        view.wantIncompletely(OTHER, POOL);
        assertThat(judge(AddressSet.empty())).isEqualTo(Verdict.GO);
        view.wantIncompletely(OTHER, POOL, "10.0.0.9");
        assertThat(judge(AddressSet.empty()))
                .isInstanceOfSatisfying(
                        Verdict.GoWithLess.class,
                        less -> assertThat(less.planned()).isEqualTo(WANTED));
        assertThat(judge(WANTED)).isEqualTo(Verdict.GO);
    }

    @Test
    void what_the_service_itself_wants_holds_nothing_back() {
        view.want(OURS, POOL, WANTED);
        assertThat(judge(AddressSet.empty())).isEqualTo(Verdict.GO);
    }

    @Test
    void what_a_paused_service_wants_is_not_written_and_holds_nothing_back() {
        view.want(OTHER, POOL, WANTED);
        view.pause(OTHER);
        assertThat(judge(AddressSet.empty())).isEqualTo(Verdict.GO);
    }
}
