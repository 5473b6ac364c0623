package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent.Cause.Attempt;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contents of a pool after a write are compared with what was written. */
class VerifyTest {

    private static final AddressSet BEFORE = AddressSet.of("10.0.0.1");
    private static final AddressSet FOREIGN = AddressSet.of("10.0.0.99");

    /** The contents left by an accepted write, computed from the previous and the written contents. */
    private BinaryOperator<AddressSet> writesLeave = (held, written) -> written;

    private UpdateFixture fixture(EngineSettings settings) {
        UpdateFixture f = new UpdateFixture(settings, UnaryOperator.identity(), this::leaving);
        f.cloud.putPool(POOL, BEFORE);
        return f;
    }

    private UpdateFixture fixture(UpdateModel model) {
        return fixture(EngineSettings.REFERENCE.withModel(model));
    }

    private BackendPools leaving(BackendPools cloud) {
        return new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                return cloud.read(pool, context);
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                return cloud.write(read, writesLeave.apply(read.addresses(), addresses), context);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "S8",
            says = "Success is reported only if the pool holds the written addresses after the write.",
            source = "ours",
            differs = "Go ignores the pool that comes back.")
    void an_applied_write_is_reported(UpdateModel model) {
        UpdateFixture f = fixture(model);
        f.want(WEB, POOL, "10.0.0.4");

        f.tick();

        assertThat(f.reasons()).containsExactly("shop/web UPDATED");
        assertThat(f.counted()).containsExactly(1L, 0L, 0L);
        assertThat(f.status(POOL).difference()).isEmpty();
    }

    @Test
    void another_spelling_of_a_written_address_counts_as_written() {
        UpdateFixture f = fixture(UpdateModel.DESIRED_STATE);
        writesLeave = (held, written) -> AddressSet.of("FD00:0::4");
        f.want(WEB, POOL, "fd00::4");

        f.tick();

        assertThat(f.reasons()).containsExactly("shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "S9",
            says = "A write after which the pool still has its previous contents was accepted but not applied:"
                    + " it is retriable, and counted and reported like any other failed attempt.",
            source = "ours",
            differs = "Go reports it as updated.")
    void a_write_that_was_accepted_but_not_applied_is_retried(UpdateModel model) {
        // given
        UpdateFixture f = fixture(model);
        writesLeave = (held, written) -> held;
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.tick();
        // then
        assertThat(f.messages())
                .containsExactly("Backend pool update failed (attempt 1 of 4): the write was accepted but not applied."
                        + " Retrying on the next update.");
        assertThat(f.counted()).containsExactly(0L, 0L, 1L);
        assertThat(f.status(POOL).attempts()).isEqualTo(1);
        // when
        writesLeave = (held, written) -> written;
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    void a_write_that_is_never_applied_ends_in_a_failed_event(UpdateModel model) {
        UpdateFixture f = fixture(model);
        writesLeave = (held, written) -> held;
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(6);

        assertThat(f.reasons())
                .containsExactly("shop/web RETRYING", "shop/web RETRYING", "shop/web RETRYING", "shop/web FAILED");
        assertThat(f.attempts()).extracting(Attempt::number).containsExactly(1L, 2L, 3L, 4L);
        assertThat(f.counted()).containsExactly(0L, 1L, 3L);
        assertThat(f.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "S10",
            says = "If the pool holds neither its previous nor the written contents after a write, another"
                    + " writer interfered: nothing is reported, no retry is consumed, and the pool is queued again.",
            source = "ours",
            differs = "Go reports it as updated.")
    void a_write_overwritten_by_another_writer_is_repeated_without_a_report(UpdateModel model) {
        // given
        UpdateFixture f = fixture(model);
        writesLeave = (held, written) -> FOREIGN;
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.tick();
        // then
        assertThat(f.events.events()).isEmpty();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
        assertThat(f.waiting()).isEqualTo(1);
        assertThat(f.status(POOL).attempts()).isZero();
        // when
        writesLeave = (held, written) -> written;
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web UPDATED");
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.4"));
    }

    @ParameterizedTest
    @EnumSource
    void retries_consumed_before_another_writer_interfered_stay_consumed(UpdateModel model) {
        // given
        UpdateFixture f = fixture(model);
        f.fault(FaultRule.always(409).forMethod("PUT").times(2));
        f.want(WEB, POOL, "10.0.0.4");
        f.ticks(2);
        writesLeave = (held, written) -> FOREIGN;
        // when
        f.tick();
        // then
        assertThat(f.status(POOL).attempts()).isEqualTo(2);
        // when
        writesLeave = (held, written) -> written;
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web RETRYING", "shop/web UPDATED");
    }

    @Test
    @Rule(
            id = "S11",
            says = "A write that another writer overwrote counts as one change-back: after three of them the"
                    + " pool is written less often, and its Services get a Held event.",
            source = "ours")
    void another_writer_that_always_wins_is_given_way_after_three_times() {
        // given
        UpdateFixture f = fixture(EngineSettings.DEFAULT.withPace(Pace.TICK));
        AtomicInteger foreign = new AtomicInteger(100);
        writesLeave = (held, written) -> AddressSet.of("10.0.0." + foreign.incrementAndGet());
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.ticks(3);
        // then
        assertThat(f.engine.status().holds().fights()).containsOnlyKeys(POOL);
        // when
        f.ticks(3);
        // then
        assertThat(f.reasons()).containsExactly("shop/web HELD");
        assertThat(f.cloud.calls())
                .filteredOn(call -> call.method().equals("PUT"))
                .hasSize(3);
        // when
        writesLeave = (held, written) -> written;
        f.time.advance(Duration.ofMinutes(10));
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web HELD", "shop/web UPDATED");
    }
}
