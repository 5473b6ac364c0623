package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DryRunTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final TestClusterView view = new TestClusterView();
    private final FakeServiceEvents events = new FakeServiceEvents(time);
    private final UpdateCounts metrics = new UpdateCounts();
    private final List<Plan> notWritten = new ArrayList<>();
    private final Engine engine = Engine.builder(view, cloud, cloud, time)
            .hasSynced(() -> true)
            .settings(EngineSettings.DEFAULT.withPace(Pace.TICK))
            .events(events)
            .facts(metrics)
            .dryRun(notWritten::add)
            .build();

    private void update() {
        cloud.putPool(POOL, AddressSet.of("10.0.0.1", "10.0.0.2"));
        view.want(WEB, POOL, "10.0.0.2", "10.0.0.3");
        engine.startLeading(Term.untilEnded());
        engine.listIfDue();
        Ticks.of(engine).join();
    }

    @Test
    void a_dry_run_reads_and_returns_what_it_would_write() {
        update();
        assertThat(notWritten).singleElement().satisfies(plan -> {
            assertThat(plan.pool()).isEqualTo(POOL);
            assertThat(plan.services()).containsExactly(WEB);
            assertThat(plan.additions()).isEqualTo(AddressSet.of("10.0.0.3"));
            assertThat(plan.removals()).isEqualTo(AddressSet.of("10.0.0.1"));
        });
        assertThat(cloud.calls()).extracting(call -> call.method()).containsExactly("GET");
        Ticks.of(engine).join();
        assertThat(cloud.calls()).hasSize(1);
    }

    @Test
    void a_dry_run_emits_no_events_and_counts_nothing() {
        cloud.faults().add(FaultRule.always(400).times(1));
        update();
        view.want(WEB, POOL, "10.0.0.3");
        Ticks.of(engine).join();
        assertThat(notWritten).hasSize(1);
        assertThat(events.events()).isEmpty();
        assertThat(List.of(metrics.succeeded(), metrics.failed(), metrics.retried()))
                .containsExactly(0L, 0L, 0L);
    }

    @Test
    void a_dry_run_tries_a_pool_again_with_each_comparison_and_not_with_each_listing() {
        update();
        for (int i = 0; i < 8; i++) { // less than a comparison's interval
            time.advance(Duration.ofMinutes(1));
            engine.askForListing();
            engine.listIfDue();
            Ticks.of(engine).join();
        }
        assertThat(cloud.calls()).hasSize(1);
        time.advance(Duration.ofMinutes(4));
        engine.listIfDue();
        Ticks.of(engine).join();
        assertThat(cloud.calls()).hasSize(2);
    }
}
