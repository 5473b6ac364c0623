package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftBackOffTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey NEIGHBOUR = PoolKey.of("lb-1", "shop-api");
    private static final AddressSet OURS = AddressSet.of("10.0.0.1");
    private static final AddressSet THEIRS = AddressSet.of("10.0.0.9");

    private final FakeTime time = new FakeTime();
    private final Pools known = TestPools.none();
    private final DriftBackOff guard = new DriftBackOff(
            new DriftSettings(2, new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(40)), Duration.ofHours(3)),
            known,
            time);

    private static Plan plan(PoolKey pool, AddressSet held, AddressSet planned) {
        return new Plan(pool, List.of(WEB), held, planned);
    }

    private static BackendPool holding(AddressSet addresses) {
        return new BackendPool(POOL, addresses, "etag", null);
    }

    private void weWrite() {
        known.written(holding(OURS), true, time.instant());
        guard.wasWritten(plan(POOL, THEIRS, OURS));
    }

    /** Our write was applied, and another writer's after it; the pool is read, and still wanted as we wrote it. */
    private Verdict changedBack() {
        weWrite();
        return read(THEIRS);
    }

    private Verdict read(AddressSet found) {
        Plan plan = plan(POOL, found, OURS);
        guard.wasRead(plan);
        return guard.judge(plan);
    }

    private Verdict judgedBeforeTheRead(AddressSet listed) {
        return guard.judge(plan(POOL, listed, OURS));
    }

    @Test
    void a_repair_is_written_at_once_and_the_next_one_waits() {
        assertThat(changedBack()).isEqualTo(Verdict.GO);
        assertThat(guard.fights()).isEmpty();
        assertThat(changedBack()).isEqualTo(Verdict.GO);
        assertThat(guard.fights()).containsOnlyKeys(POOL);
        assertThat(read(THEIRS)).as("the write failed").isEqualTo(Verdict.GO);

        weWrite();
        assertThat(judgedBeforeTheRead(THEIRS))
                .isEqualTo(new Verdict.Hold(
                        new HoldCause.ChangedBack(2, guard.fights().get(POOL))));
        assertThat(guard.judge(plan(NEIGHBOUR, THEIRS, OURS))).isEqualTo(Verdict.GO);
    }

    @Test
    void a_pool_that_is_changed_back_again_and_again_waits_longer_each_time() {
        changedBack();
        List<Long> minutes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            changedBack();
            weWrite();
            Instant until = guard.fights().get(POOL);
            minutes.add(Duration.between(time.instant(), until).toMinutes());
            time.advance(Duration.between(time.instant(), until).minusNanos(1));
            assertThat(judgedBeforeTheRead(THEIRS)).isInstanceOf(Verdict.Hold.class);
            time.advanceTo(until);
            assertThat(judgedBeforeTheRead(THEIRS)).isEqualTo(Verdict.GO);
        }
        assertThat(minutes).containsExactly(10L, 20L, 40L, 40L);
    }

    @Test
    void a_new_wanted_set_or_an_unchanged_pool_is_no_fight() {
        for (int i = 0; i < 3; i++) {
            weWrite();
            read(OURS);
            guard.wasRead(plan(POOL, THEIRS, AddressSet.of("10.0.0.2")));
            guard.wasRead(plan(NEIGHBOUR, THEIRS, OURS));
        }
        assertThat(guard.fights()).isEmpty();
        assertThat(judgedBeforeTheRead(THEIRS)).isEqualTo(Verdict.GO);
    }

    @Test
    void a_fight_ends_after_a_quiet_period_and_the_next_one_is_reported() {
        changedBack();
        changedBack();
        weWrite();
        Pool.Report report = new Pool.Report(WEB, HoldCause.By.DRIFT);
        known.change(POOL, pool -> pool.withReported(report));
        time.advance(Duration.ofHours(3));
        guard.forgetEnded();
        assertThat(guard.fights()).hasSize(1);
        assertThat(known.get(POOL).reported()).containsExactly(report);

        Pool.Report other = new Pool.Report(WEB, HoldCause.By.SAFETY_BRAKE);
        known.change(POOL, pool -> pool.withReported(other));
        time.advance(Duration.ofSeconds(1));
        guard.forgetEnded();
        assertThat(guard.fights()).isEmpty();
        changedBack();
        assertThat(guard.fights()).isEmpty();
        assertThat(known.get(POOL).reported()).containsExactly(other);
    }

    @Test
    void an_unsettled_fight_also_starts_again_from_one() {
        changedBack();
        time.advance(Duration.ofHours(3).plusSeconds(1));
        changedBack();
        assertThat(guard.fights()).isEmpty();
    }

    @Test
    void a_write_that_was_overwritten_counts_and_the_next_one_waits() {
        changedBack();
        guard.wasOverwritten(plan(POOL, THEIRS, OURS));
        assertThat(guard.fights()).containsOnlyKeys(POOL);
        assertThat(judgedBeforeTheRead(THEIRS)).isInstanceOf(Verdict.Hold.class);
    }
}
