package dev.poolkeeper.core.tick;

import static dev.poolkeeper.core.tick.Fixture.API;
import static dev.poolkeeper.core.tick.Fixture.OTHER_POOL;
import static dev.poolkeeper.core.tick.Fixture.POOL;
import static dev.poolkeeper.core.tick.Fixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.ManualClock;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes known of an outcome, and what is not lost when something breaks that must not. */
class OutcomeDetailsTest {

    private final ManualClock clock = new ManualClock();
    private final FakeCloud cloud = new FakeCloud(clock);
    private final FakeServiceEvents events = new FakeServiceEvents(clock);
    private final List<String> heard = new ArrayList<>();
    private final OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
    private Executor executor = Runnable::run;

    private final class Services implements LocalServices {
        @Override
        public boolean isLocal(ServiceName service, PoolKey pool) {
            return true;
        }

        @Override
        public void succeeded(ServiceName service, PoolKey pool) {
            heard.add("succeeded " + service + " " + pool);
        }

        @Override
        public void failed(ServiceName service, PoolKey pool) {
            heard.add("failed " + service + " " + pool);
        }
    }

    private BackendPoolUpdater updater(int maxRetries) {
        cloud.putPool(POOL, AddressSet.empty());
        cloud.putPool(OTHER_POOL, AddressSet.empty());
        return new BackendPoolUpdater(
                new UpdaterSettings(maxRetries),
                queue,
                new Services(),
                new UpdaterPorts(cloud, new FakeResourceLock(), events),
                Lanes.sideBySide(name -> new ReentrantLock(), task -> executor.execute(task)),
                clock);
    }

    private void replace(ServiceName service, PoolKey pool, String... addresses) {
        queue.add(new Operation.Replace(service, pool, AddressSet.of(addresses)));
    }

    @Test
    void the_bookkeeping_hears_of_successes_written_or_not_and_of_failures() {
        BackendPoolUpdater updater = updater(0);
        replace(WEB, POOL, "10.0.0.1");
        updater.process();
        replace(WEB, POOL, "10.0.0.1");
        updater.process();
        cloud.faults().add(FaultRule.always(409).times(1));
        replace(WEB, POOL, "10.0.0.2");
        updater.process();

        assertThat(heard)
                .containsExactly("succeeded shop/web " + POOL, "succeeded shop/web " + POOL, "failed shop/web " + POOL);
    }

    @ParameterizedTest
    @EnumSource
    void an_update_that_found_nothing_to_write_is_told_in_diff_alone(UpdateModel model) {
        Fixture f = new Fixture(model);
        f.cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
        f.replace(WEB, POOL, "10.0.0.1");
        f.tick();

        assertThat(f.reasons()).hasSize(model == UpdateModel.DIFF ? 1 : 0);
        assertThat(f.counted()).containsExactly(model == UpdateModel.DIFF ? 1L : 0L, 0L, 0L);
    }

    @Test
    void who_was_told_of_a_retry_is_told_of_its_end_though_nothing_was_written() {
        Fixture f = new Fixture(UpdateModel.DESIRED_STATE);
        f.cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
        f.fault(FaultRule.always(409).times(1));
        f.replace(WEB, POOL, "10.0.0.1");
        f.ticks(2);

        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @Test
    void a_lane_that_could_not_start_is_free_at_the_next_tick() {
        BackendPoolUpdater updater = updater(3);
        replace(WEB, POOL, "10.0.0.1");
        executor = task -> {
            throw new RejectedExecutionException("full");
        };
        assertThat(updater.tick()).isCompletedExceptionally();
        executor = Runnable::run;
        updater.process();

        assertThat(cloud.addresses(POOL)).contains(AddressSet.of("10.0.0.1"));
    }

    @Test
    void if_a_listener_breaks_its_promise_the_groups_behind_are_not_lost() {
        OperationQueue own = new OperationQueue(UpdateModel.DESIRED_STATE);
        cloud.putPool(POOL, AddressSet.empty());
        cloud.putPool(OTHER_POOL, AddressSet.empty());
        List<String> emitted = new ArrayList<>();
        BackendPoolUpdater updater = new BackendPoolUpdater(
                new UpdaterSettings(3),
                own,
                new Services(),
                new UpdaterPorts(cloud, new FakeResourceLock(), event -> {
                    emitted.add(event.service().toString());
                    if (emitted.size() == 1) {
                        throw new IllegalStateException("broken");
                    }
                }),
                Lanes.oneAfterAnother(new ReentrantLock()),
                clock);
        own.add(new Operation.Replace(WEB, POOL, AddressSet.of("10.0.0.1")));
        own.add(new Operation.Replace(API, OTHER_POOL, AddressSet.of("10.0.0.2")));

        assertThatThrownBy(updater::process).hasRootCauseMessage("broken");
        assertThat(own.size()).isEqualTo(1);
        updater.process();

        assertThat(emitted).containsExactly("shop/web", "shop/api");
        assertThat(cloud.addresses(OTHER_POOL)).contains(AddressSet.of("10.0.0.2"));
    }

    @Test
    void an_interruption_that_came_before_a_call_stays_and_one_that_was_meant_for_it_does_not() {
        Lane lane = new Lane(null, new ReentrantLock());
        try {
            lane.call(clock.instant(), () -> false, () -> {
                lane.interruptCall(clock.instant().plusSeconds(4), Duration.ofSeconds(5));
                assertThat(Thread.currentThread().isInterrupted())
                        .as("too young")
                        .isFalse();
                lane.interruptCall(clock.instant().plusSeconds(5), Duration.ofSeconds(5));
                assertThat(Thread.currentThread().isInterrupted())
                        .as("old enough")
                        .isTrue();
                return Reply.ok("answer");
            });
            assertThat(Thread.currentThread().isInterrupted())
                    .as("meant for the call")
                    .isFalse();

            Thread.currentThread().interrupt();
            lane.call(clock.instant(), () -> false, () -> {
                lane.interruptCall(clock.instant(), Duration.ZERO);
                return Reply.ok("answer");
            });
            assertThat(Thread.currentThread().isInterrupted())
                    .as("meant for all")
                    .isTrue();
            lane.interruptCall(clock.instant(), Duration.ZERO); // there is none
        } finally {
            Thread.interrupted();
        }
        lane.interruptCall(clock.instant(), Duration.ZERO);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void a_call_that_is_interrupted_by_somebody_else_stays_interrupted() {
        Lane lane = new Lane(null, new ReentrantLock());
        lane.call(clock.instant(), () -> false, () -> {
            Thread.currentThread().interrupt();
            return Reply.ok("answer");
        });
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_call_does_not_start_when_all_is_shut_down() {
        Lane lane = new Lane(null, new ReentrantLock());
        List<String> calls = new ArrayList<>();
        var reply = lane.call(clock.instant(), () -> true, () -> {
            calls.add("call");
            return Reply.ok("answer");
        });
        assertThat(calls).isEmpty();
        assertThat(reply).isInstanceOf(Reply.Failed.class);
    }
}
