package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** For each cause of a hold: Services of two namespaces that share a pool, and a pool of each of its own. */
class TwoTenantsTest {

    private static final ServiceName OURS = new ServiceName("a", "b-c");
    private static final ServiceName OUR_OTHER = new ServiceName("a", "x");
    private static final ServiceName THEIRS = new ServiceName("a-b", "c");
    private static final ServiceName THEIR_OTHER = new ServiceName("a-b", "x");

    private final EngineFixture the = new EngineFixture();
    private PoolKey shared = PoolKey.of("lb-1", "a-b-c");
    private PoolKey ours = shared;

    @BeforeEach
    void inStep() {
        shared = the.inStep(OURS, EngineFixture.range(1, 30));
        the.inStep(THEIRS, EngineFixture.range(1, 30));
        ours = the.inStep(OUR_OTHER, EngineFixture.range(1, 30));
        the.inStep(THEIR_OTHER, EngineFixture.range(1, 90));
        the.lead();
        the.tick();
        assertThat(the.calls()).isEmpty();
    }

    /** Ours in both pools are exchanged, and one goes, within a tick. */
    private void oursAreWrittenAtOnce() {
        the.endpoints(OURS, EngineFixture.range(61, 89));
        the.endpoints(OUR_OTHER, EngineFixture.range(61, 89));
        the.tick();
        assertThat(the.cloud.addresses(ours)).contains(EngineFixture.addresses(EngineFixture.range(61, 89)));
        assertThat(EngineFixture.addresses(EngineFixture.range(61, 89))
                        .minus(the.cloud.addresses(shared).orElseThrow()))
                .as("missing from the shared pool")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C83",
            says = "Nothing that a Service of another namespace does holds a Service's changes back, whether they"
                    + " share a pool or not. What can: the operator, Azure's answers about the load balancer,"
                    + " another writer in Azure, a name on two load balancers; and, for one hold, the loss of a"
                    + " pool that both share.",
            source = "ours")
    void another_namespace_holds_nothing_back(HoldCause.By cause) {
        switch (cause) {
            case PAUSE -> {
                the.put(THEIRS, true, 1);
                the.put(THEIR_OTHER, true, 1);
                assertThat(the.engine.status().holds().paused()).isFalse();
            }
            case SERVICE_PAUSE -> {
                the.put(THEIRS, true, 1);
                the.endpoints(THEIRS, EngineFixture.range(31, 60));
                the.tick();
            }
            case FORBIDDEN -> { // Azure answers for a load balancer; others go on
                PoolKey elsewhere = PoolKey.of("lb-2", "a-b-y");
                the.cloud.putPool(elsewhere, EngineFixture.addresses(1));
                the.service(new ServiceName("a-b", "y"), 2);
                the.fault(FaultRule.always(403).forPool("a-b-y"));
                the.run(Duration.ofMinutes(6));
            }
            case DRIFT -> { // only another writer to Azure is counted
                for (int i = 0; i < 20; i++) {
                    the.endpoints(THEIRS, EngineFixture.range(1, i % 2 == 0 ? 30 : 20));
                    the.tick();
                }
                assertThat(the.engine.status().holds().fights()).isEmpty();
            }
            case SHARED_POOL -> the.endpoints(THEIRS, 1, 2, 1_000); // a node that no one has seen
            case SAFETY_BRAKE -> the.endpoints(THEIR_OTHER);
            case REMOVAL_WAVE -> {
                aWaveElsewhereDelaysNothing();
                return;
            }
            case RETRY_BUDGET -> {
                firstAttemptsNeedNoBudget();
                return;
            }
            case AMBIGUOUS -> {
                the.cloud.putPool(PoolKey.of("lb-2", "a-b-x"), EngineFixture.addresses(1));
                the.run(Duration.ofMinutes(6));
            }
        }
        oursAreWrittenAtOnce();
    }

    /** What a Service of another namespace is in while Azure does something to the pool that both share. */
    private enum Theirs {
        AT_REST,
        PAUSED,
        UNKNOWN_NODE,
        EMPTIED,
        CHANGED_TO_AND_FRO,
        LEAVING
    }

    /** What Azure does. */
    private enum Azure {
        HAS_LOST_IT_FOR_A_MOMENT,
        HAS_LOST_IT_FOR_A_MINUTE,
        THROTTLES,
        DROPS_A_WRITE,
        LETS_ANOTHER_WRITER_REMOVE_OURS
    }

    @ParameterizedTest
    @MethodSource("states")
    @Rule(
            id = "C130",
            says = "Whatever a Service of another namespace in the same pool is in (paused, on an unknown node,"
                    + " emptied, flapping, leaving), a pool that Azure lost, throttled, wrote badly or let others"
                    + " change has all addresses of a Service again as soon as it would alone.",
            source = "ours")
    void another_namespace_delays_no_recovery(Theirs state, Azure trouble) {
        switch (state) {
            case AT_REST -> {}
            case PAUSED -> {
                the.put(THEIRS, true, 1);
                the.endpoints(THEIRS, EngineFixture.range(31, 60));
            }
            case UNKNOWN_NODE -> the.endpoints(THEIRS, 1, 2, 1_000);
            case EMPTIED -> the.endpoints(THEIRS);
            case CHANGED_TO_AND_FRO -> {
                for (int i = 0; i < 10; i++) {
                    the.endpoints(THEIRS, EngineFixture.range(1, i % 2 == 0 ? 30 : 20));
                    the.tick();
                }
            }
            case LEAVING -> the.cluster.deleteService(THEIRS);
        }
        the.tick();
        int[] wanted = EngineFixture.range(61, 89);
        Duration within = EngineFixture.TICK.multipliedBy(2); // a listing and the next tick, or a failure and the retry
        switch (trouble) {
            case HAS_LOST_IT_FOR_A_MOMENT -> the.fault(FaultRule.always(404).times(1));
            case HAS_LOST_IT_FOR_A_MINUTE -> {
                the.cloud.deletePool(shared);
                the.endpoints(OURS, wanted);
                the.run(Duration.ofMinutes(1));
                the.cloud.putPool(shared, EngineFixture.addresses());
            }
            case THROTTLES ->
                the.fault(
                        FaultRule.always(429).retryAfter(Duration.ofSeconds(30)).times(1));
            case DROPS_A_WRITE ->
                the.fault(FaultRule.always(409).forMethod("PUT").times(1));
            case LETS_ANOTHER_WRITER_REMOVE_OURS -> {
                the.endpoints(OURS, wanted);
                the.tick();
                the.cloud.putPool(shared, EngineFixture.addresses(1));
                the.engine.askForListing();
            }
        }
        the.endpoints(OURS, wanted);
        the.run(within);
        assertThat(EngineFixture.addresses(wanted)
                        .minus(the.cloud.addresses(shared).orElseThrow()))
                .as("missing from the shared pool")
                .isEmpty();
    }

    static Stream<Arguments> states() {
        return Stream.of(Theirs.values())
                .flatMap(state -> Stream.of(Azure.values()).map(trouble -> Arguments.of(state, trouble)));
    }

    private static void aWaveElsewhereDelaysNothing() {
        EngineFixture eager = new EngineFixture(EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT));
        PoolKey pool = eager.inStep(OUR_OTHER, EngineFixture.range(1, 30));
        PoolKey theirs = eager.inStep(THEIR_OTHER, EngineFixture.range(1, 90));
        eager.lead();
        eager.tick();
        eager.endpoints(THEIR_OTHER, EngineFixture.range(41, 90));
        eager.endpoints(OUR_OTHER, EngineFixture.range(2, 30));
        eager.time.advance(Pace.Eager.DEFAULT.gather());
        Ticks.of(eager.engine).join();
        assertThat(eager.size(theirs)).as("theirs wait").isEqualTo(90);
        assertThat(eager.size(pool)).isEqualTo(29);
    }

    /** Their retries may exhaust the budget; ours are held for an interval then, first attempts never. */
    private static void firstAttemptsNeedNoBudget() {
        UpdateFixture exhausted = new UpdateFixture(
                EngineSettings.DEFAULT.withPace(Pace.TICK),
                builder -> builder.budgetAcrossTicks(RetryBudget.NONE),
                UnaryOperator.identity());
        PoolKey pool = PoolKey.of("lb-1", "a-x");
        exhausted.cloud.putPool(pool, EngineFixture.addresses());
        exhausted.engine.askForListing();
        exhausted.engine.listIfDue();
        exhausted.want(OUR_OTHER, pool, "10.0.0.1");
        exhausted.tick();
        assertThat(exhausted.held(pool)).hasSize(1);
    }
}
