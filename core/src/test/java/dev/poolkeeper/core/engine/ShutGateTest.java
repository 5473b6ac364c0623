package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Azure has asked to wait: nothing is requested that could not be used. */
class ShutGateTest {

    private static final Pace.Eager PACE =
            new Pace.Eager(Duration.ofSeconds(1), Duration.ofSeconds(120), Duration.ofSeconds(30));
    private static final Instant OPENS = FakeTime.START.plusSeconds(20);
    private static final ServiceName SHOP = new ServiceName("shop", "shop");
    private static final PoolKey ELSEWHERE = PoolKey.of("lb-2", "shop-shop");

    private final FakeResourceLock lock = new FakeResourceLock();
    private final List<Instant> asked = new ArrayList<>();
    private @Nullable ArmName only;

    private final class Gate implements WriteQuota {
        @Override
        public Level level() {
            return Level.AMPLE;
        }

        @Override
        public Optional<Instant> shutUntil(@Nullable ArmName loadBalancer) {
            boolean isMeant = only == null || only.equals(loadBalancer);
            return Optional.of(OPENS)
                    .filter(until -> isMeant && the.time.instant().isBefore(until));
        }
    }

    private final UpdateFixture the = new UpdateFixture(
            EngineSettings.REFERENCE.withPace(PACE),
            builder -> builder.quota(new Gate()).sideBySide().resourceLock(() -> {
                asked.add(this.the().time.instant());
                return lock.tryAcquire();
            }),
            UnaryOperator.identity());

    private UpdateFixture the() {
        return the;
    }

    /** The embedder's loop, which ticks only at the times that the engine requests. */
    private void runUntil(Instant end) {
        for (int i = 0; i < 1_000; i++) {
            Instant next = the.engine.nextStart().orElse(Instant.MAX);
            if (next.isAfter(end)) {
                the.time.advanceTo(end);
                return;
            }
            the.time.advanceTo(next);
            Ticks.of(the.engine).join();
        }
        throw new AssertionError("an engine that asks to be called for ever");
    }

    @Test
    @Rule(
            id = "C127",
            says = "At the eager pace no update of a load balancer starts before the time that Azure named with a 429"
                    + " to its writes, to all writes or to reads: its pools are shown as parked until then, and the"
                    + " resource lock is not requested for them.",
            source = "ours")
    void while_azure_asks_to_wait_the_resource_lock_is_not_requested() {
        the.want(WEB, POOL, "10.0.0.1");
        runUntil(OPENS.minusSeconds(10));
        the.want(API, OTHER_POOL, "10.0.0.2");
        runUntil(OPENS.minusNanos(1));
        Ticks.of(the.engine).join();

        assertThat(asked).isEmpty();
        assertThat(the.calls()).isEmpty();
        assertThat(the.reasons()).isEmpty();
        assertThat(the.engine.nextStart()).contains(OPENS);

        runUntil(OPENS);

        assertThat(asked).containsOnly(OPENS);
        assertThat(the.calls()).containsExactly("GET 200", "PUT 200", "GET 200", "PUT 200");
    }

    @Test
    void the_status_says_until_when_a_pool_waits_for_azure() {
        the.want(WEB, POOL, "10.0.0.1");
        runUntil(OPENS.minusSeconds(10));

        assertThat(the.status(POOL).difference())
                .get()
                .returns(Difference.Reason.PARKED, Difference::reason)
                .returns(Optional.of(OPENS), Difference::until)
                .satisfies(difference -> assertThat(difference.why())
                        .isInstanceOfSatisfying(
                                Why.Parked.class,
                                why -> assertThat(why.isUnsent()).isTrue()));
    }

    @Test
    void pools_that_wait_for_azure_count_as_parked() {
        the.want(WEB, POOL, "10.0.0.1");
        the.want(API, OTHER_POOL, "10.0.0.2");
        runUntil(OPENS.minusSeconds(10));

        EngineStatus.Work work = the.engine.status().work();
        assertThat(work.parkedPools()).isEqualTo(2);
        assertThat(work.lastEligibleAt()).contains(OPENS);
        runUntil(OPENS);
        assertThat(the.engine.status().work().parkedPools()).isZero();
    }

    @Test
    void a_pool_that_waits_for_less_long_waits_for_azure() {
        the.cloud
                .faults()
                .add(FaultRule.always(429).retryAfter(Duration.ofSeconds(5)).times(1));
        only = ELSEWHERE.loadBalancer();
        the.want(WEB, POOL, "10.0.0.1");
        runUntil(FakeTime.START.plusSeconds(2));
        only = null;

        assertThat(the.status(POOL).difference().flatMap(Difference::until)).contains(OPENS);
    }

    @Test
    void a_busy_load_balancer_delays_no_other() {
        only = POOL.loadBalancer();
        the.cloud.putPool(ELSEWHERE, AddressSet.empty());
        the.want(WEB, POOL, "10.0.0.1");
        the.want(SHOP, ELSEWHERE, "10.0.0.2");

        runUntil(OPENS.minusNanos(1));
        assertThat(the.callsTo(POOL)).isZero();
        assertThat(the.callsTo(ELSEWHERE)).isEqualTo(2);
        runUntil(OPENS);
        assertThat(the.callsTo(POOL)).isEqualTo(2);
    }
}
