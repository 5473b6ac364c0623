package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the calls of an update may still send, and what is said, once the resource lock is not ours any more. */
class FenceTest {

    private static final EngineSettings EAGER = EngineSettings.REFERENCE.withPace(Pace.Eager.DEFAULT);

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "K22",
            says = "Leadership and the resource lock are asked before every request of an update, repetitions inside a"
                    + " call included. An update that loses the lock waits for it again; this counts as no attempt.",
            source = "design document, Locking And Queue Safety")
    void a_call_may_repeat_no_request_once_the_lock_is_lost(UpdateModel model) {
        // given: an adapter that would repeat its write after a wait
        List<Boolean> mayRepeat = new ArrayList<>();
        UpdateFixture f = new UpdateFixture(
                EngineSettings.REFERENCE.withModel(model), UnaryOperator.identity(), real -> new BackendPools() {
                    @Override
                    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                        return real.read(pool, context);
                    }

                    @Override
                    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                        Reply<BackendPool> reply = real.write(read, addresses, context); // takes the lock away
                        mayRepeat.add(context.term().isCurrent());
                        return context.term().isCurrent()
                                ? reply
                                : Reply.failed(Failure.Cancelled.atFence(Failure.Other.retriable("HTTP 503")));
                    }
                });
        f.want(WEB, POOL, "10.0.0.1");
        f.duringWrite(() -> f.resourceLock.takeAway());
        // when
        f.tick();
        // then
        assertThat(mayRepeat).containsExactly(false);
        assertThat(f.reasons()).isEmpty();
        assertThat(f.waiting()).isEqualTo(1);
        // when
        f.duringWrite(() -> {});
        f.resourceLock.release();
        f.tick();
        // then
        assertThat(f.waiting()).isZero();
        assertThat(f.reasons()).doesNotContain("shop/web RETRYING", "shop/web FAILED");
    }

    @Test
    void no_write_is_sent_if_the_lock_is_lost_after_the_read() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DESIRED_STATE);
        f.want(WEB, POOL, "10.0.0.1");
        f.duringRead(() -> f.resourceLock.takeAway());

        f.tick();

        assertThat(f.cloud.calls()).extracting(Call::method).containsExactly("GET");
        assertThat(f.waiting()).isEqualTo(1);
    }

    /** A lock whose status names this process, as ours does while it waits for its last lanes. */
    private static ResourceLock naming(ResourceLock lock, UpdateFixture[] f) {
        return new ResourceLock() {
            @Override
            public Optional<Hold> tryAcquire() {
                return lock.tryAcquire();
            }

            @Override
            public Optional<Holder> holder() {
                Instant now = f[0].time.instant();
                return Optional.of(new Holder("this-process", Optional.of(now), now.plusSeconds(30)));
            }
        };
    }

    @Test
    void a_lane_that_waits_for_our_own_hold_to_end_does_not_wait_for_another_writer() {
        // given
        UpdateFixture[] self = new UpdateFixture[1];
        UpdateFixture f = new UpdateFixture(
                EAGER,
                builder -> builder.sideBySide().resourceLock(naming(new FakeResourceLock(), self)),
                UnaryOperator.identity());
        self[0] = f;
        PoolKey other = PoolKey.of("lb-2", "shop-db");
        f.cloud.putPool(other, AddressSet.empty());
        f.time.advance(Duration.ofSeconds(30));
        f.engine.askForListing();
        f.engine.listIfDue();
        f.want(WEB, POOL, "10.0.0.1");
        f.time.advance(Duration.ofSeconds(1));
        List<String> seen = new ArrayList<>();
        f.duringRead(
                () -> { // one lane's call takes longer than a hold may last; the other lane wants to start
                    f.duringRead(() -> {});
                    f.want(new ServiceName("shop", "db"), other, "10.0.0.2");
                    f.time.advance(ResourceLock.MAX_HOLD);
                    Ticks.of(f.engine).join();
                    f.engine.status().pools().stream()
                            .filter(pool -> pool.pool().equals(other))
                            .flatMap(pool -> pool.difference().stream())
                            .forEach(difference -> seen.add(difference.reason().name()));
                });
        // when
        Ticks.of(f.engine).join();
        // then
        assertThat(seen).containsExactly("QUEUED");
        f.time.advance(Duration.ofSeconds(5));
        Ticks.of(f.engine).join();
        assertThat(f.held(other)).isEqualTo(AddressSet.of("10.0.0.2"));
    }
}
