package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without an executor, a step makes one update, in the thread that calls it. */
class OneUpdateTest {

    private static final ServiceName DB = new ServiceName("shop", "db");
    private static final PoolKey DB_POOL = PoolKey.of("lb-2", "shop-db");
    private static final EngineSettings EAGER = EngineSettings.REFERENCE.withPace(Pace.Eager.DEFAULT);
    private static final EngineSettings GUARDED = EngineSettings.DEFAULT.withPace(Pace.TICK);

    private final FakeResourceLock real = new FakeResourceLock();
    private int acquired;

    private final class CountingLock implements ResourceLock {
        @Override
        public Optional<Hold> tryAcquire() {
            acquired++;
            return real.tryAcquire();
        }
    }

    private UpdateFixture fixture(EngineSettings settings) {
        UpdateFixture f = new UpdateFixture(
                settings, builder -> builder.sideBySide().resourceLock(new CountingLock()), UnaryOperator.identity());
        f.cloud.putPool(DB_POOL, AddressSet.empty());
        f.time.advance(UpdateFixture.INTERVAL);
        f.engine.askForListing();
        stepUntilLater(f);
        return f;
    }

    /**
     * Three pools of two load balancers that are due; the queue's order is neither that of the names nor its reverse.
     */
    private UpdateFixture threeDue(EngineSettings settings) {
        UpdateFixture f = fixture(settings);
        f.want(WEB, POOL, "10.0.0.1");
        f.want(DB, DB_POOL, "10.0.0.2");
        f.want(API, OTHER_POOL, "10.0.0.3");
        f.time.advance(UpdateFixture.INTERVAL);
        acquired = 0;
        return f;
    }

    /** Returns the pools that each step wrote. */
    private static List<List<PoolKey>> stepUntilLater(UpdateFixture f) {
        List<List<PoolKey>> steps = new ArrayList<>();
        boolean isMoreDue;
        do {
            int before = f.cloud.calls().size();
            isMoreDue = !f.engine.step().isAfter(f.time.instant());
            steps.add(f.cloud.calls().stream()
                    .skip(before)
                    .filter(call -> call.method().equals("PUT"))
                    .map(call -> call.pool())
                    .toList());
        } while (isMoreDue);
        return steps;
    }

    @Test
    void updates_are_made_in_the_order_of_their_operations_whatever_their_load_balancer() {
        UpdateFixture f = threeDue(EngineSettings.REFERENCE);

        assertThat(stepUntilLater(f)).containsExactly(List.of(POOL), List.of(DB_POOL), List.of(OTHER_POOL));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_tick_acquires_the_resource_lock_once_and_leaves_it_at_its_end(boolean eager) {
        UpdateFixture f = threeDue(eager ? EAGER : EngineSettings.REFERENCE);

        f.engine.step();
        assertThat(real.isHeld()).as("more is due").isTrue();
        f.engine.step();
        assertThat(real.isHeld()).as("more is due").isTrue();
        f.engine.step();

        assertThat(real.isHeld()).isFalse();
        assertThat(acquired).isEqualTo(1);
        assertThat(f.cloud.calls()).hasSize(6);
    }

    private enum End {
        NOTHING_IS_WANTED_ANY_MORE(f -> {
            f.view.leave(DB, DB_POOL);
            f.view.leave(API, OTHER_POOL);
            f.engine.step();
        }),
        WRITES_ARE_PAUSED(f -> {
            f.engine.pause(true);
            f.engine.step();
        }),
        THE_TERM_ENDS(f -> f.engine.stopLeading()),
        A_MINUTE_PASSES(f -> {
            f.time.advance(ResourceLock.MAX_HOLD);
            stepUntilLater(f);
        });

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas hold nothing
        private final Consumer<UpdateFixture> happens;

        End(Consumer<UpdateFixture> happens) {
            this.happens = happens;
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_resource_lock_is_left_when_no_update_may_follow(End end) {
        UpdateFixture f = threeDue(GUARDED);
        f.engine.step();
        assertThat(real.isHeld()).isTrue();

        end.happens.accept(f);

        assertThat(real.isHeld()).isFalse();
        assertThat(f.cloud.calls()).as("one read, one write").hasSize(2);
    }

    /** A pool of each of two load balancers changes again whenever it is written. */
    @Test
    void with_the_eager_pace_load_balancers_take_turns() {
        UpdateFixture f = fixture(EAGER);
        int[] next = {1};
        Runnable change = () -> {
            f.want(WEB, POOL, "10.0.1." + next[0]);
            f.want(DB, DB_POOL, "10.0.2." + next[0]++);
            f.time.advance(EAGER.pace().gather());
        };
        change.run();
        f.duringWrite(change);

        for (int step = 0; step < 6; step++) {
            f.engine.step();
        }

        assertThat(f.callsTo(POOL)).isEqualTo(f.callsTo(DB_POOL)).isEqualTo(6);
    }
}
