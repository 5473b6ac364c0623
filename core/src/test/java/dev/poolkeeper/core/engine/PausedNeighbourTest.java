package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.DriftSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The waits of a pool of which one Service is paused are those of any other. */
class PausedNeighbourTest {

    private static final ServiceName TENANT = new ServiceName("shop-x", "web");
    private static final EngineSettings EAGER = EngineSettings.DEFAULT
            .withPace(Pace.Eager.DEFAULT)
            .withResync(Duration.ZERO)
            .withGuards(GuardSettings.DEFAULT.withDrift(
                    new DriftSettings(100_000, DriftSettings.DEFAULT.waits(), DriftSettings.DEFAULT.calmAfter())));

    private static void pass(UpdateFixture f, Duration duration) {
        Instant end = f.time.instant().plus(duration);
        while (f.time.instant().isBefore(end)) {
            f.time.advance(Duration.ofMillis(100));
            Ticks.of(f.engine).join();
        }
    }

    private static void share(UpdateFixture f, boolean paused) {
        f.want(WEB, POOL, "10.0.0.1");
        f.want(TENANT, POOL, "10.0.0.1");
        pass(f, Duration.ofSeconds(5));
        if (paused) {
            f.view.pause(TENANT);
        }
        f.want(TENANT, POOL, "10.0.0.9");
        pass(f, Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_exhausted_budget_is_asked_once_an_interval(boolean paused) {
        List<Fact> facts = new CopyOnWriteArrayList<>();
        UpdateFixture f = new UpdateFixture(
                EAGER,
                builder -> builder.budgetAcrossTicks(RetryBudget.NONE).facts(facts::add),
                UnaryOperator.identity());
        share(f, paused);
        f.fault(FaultRule.always(409).times(1));
        f.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        pass(f, Duration.ofMinutes(5));
        long refused =
                facts.stream().filter(Fact.RetryRefused.class::isInstance).count();
        assertThat(refused).isBetween(1L, 11L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_pool_that_always_comes_back_different_is_written_once_an_interval(boolean paused) {
        AtomicInteger writes = new AtomicInteger();
        boolean[] meddles = {false};
        UpdateFixture[] self = new UpdateFixture[1];
        UpdateFixture f = new UpdateFixture(EAGER, UnaryOperator.identity(), real -> new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                return real.read(pool, context);
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                Reply<BackendPool> written = real.write(read, addresses, context);
                if (!meddles[0]) {
                    return written;
                }
                self[0].cloud.putPool(read.key(), AddressSet.of("10.9.0." + writes.incrementAndGet() % 200));
                return real.read(read.key(), context);
            }
        });
        self[0] = f;
        share(f, paused);
        meddles[0] = true;
        f.want(WEB, POOL, "10.0.0.1", "10.0.0.2");
        pass(f, Duration.ofMinutes(10));
        assertThat(writes.get()).isLessThanOrEqualTo(2 + 21);
    }
}
