package dev.poolkeeper.core.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The example in {@code docs/embedding.md} works as described, and the page shows this code. */
class EmbeddedUpdaterTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("kubernetes", "shop-web");
    private static final int NODES = 20;

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeServiceEvents events = new FakeServiceEvents(time);
    private boolean leads = true;

    private EmbeddedUpdater embedded(EngineSettings settings) {
        cloud.putPool(POOL, AddressSet.empty());
        EmbeddedUpdater embedded = new EmbeddedUpdater(
                cloud, cloud, new FakeResourceLock(), events, new ReentrantLock(), () -> true, settings, time);
        for (int i = 1; i <= NODES; i++) {
            embedded.cluster().nodeChanged(new NodeState("node-" + i, Map.of(), List.of("10.0.0." + i)));
        }
        embedded.cluster().serviceChanged(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4")));
        return embedded;
    }

    /** The Service's pods run on this number of nodes, the first ones. */
    private static void endpoints(EmbeddedUpdater embedded, int nodes) {
        List<String> names =
                IntStream.rangeClosed(1, nodes).mapToObj(i -> "node-" + i).toList();
        embedded.cluster().sliceChanged(new EndpointSliceState("shop", "web-x7k2p", WEB, "IPv4", names));
    }

    private void pass(EmbeddedUpdater embedded, Duration duration) {
        Instant end = time.instant().plus(duration);
        Instant next = embedded.engine().step();
        while (!next.isAfter(end)) {
            time.advanceTo(next);
            next = embedded.engine().step();
        }
        time.advanceTo(end);
        embedded.engine().step();
    }

    private int held() {
        return cloud.addresses(POOL).orElseThrow().size();
    }

    @Test
    void the_updater_keeps_the_pool_in_step() {
        cloud.faults().add(FaultRule.always(409).forMethod("PUT").times(1));
        EmbeddedUpdater embedded = embedded(EngineSettings.DEFAULT);
        embedded.lead(() -> leads);
        endpoints(embedded, 1);

        pass(embedded, Duration.ofSeconds(30));
        pass(embedded, Duration.ofSeconds(30));

        assertThat(cloud.addresses(POOL)).contains(AddressSet.of("10.0.0.1"));
        assertThat(events.events())
                .extracting(ServiceEvent::reason)
                .containsExactly(ServiceEvent.Reason.RETRYING, ServiceEvent.Reason.UPDATED);
    }

    @Test
    void the_updater_writes_only_while_leading_and_catches_up_afterwards() {
        EmbeddedUpdater embedded = embedded(EngineSettings.DEFAULT);
        endpoints(embedded, 1);
        pass(embedded, Duration.ofSeconds(30));
        assertThat(held()).isZero();

        embedded.lead(() -> leads);
        pass(embedded, Duration.ofSeconds(30));
        assertThat(held()).isEqualTo(1);

        leads = false;
        endpoints(embedded, 2);
        pass(embedded, Duration.ofSeconds(30));
        assertThat(held()).isEqualTo(1);

        embedded.follow();
        leads = true;
        embedded.lead(() -> leads);
        pass(embedded, Duration.ofSeconds(30));
        assertThat(held()).isEqualTo(2);

        embedded.stop();
        endpoints(embedded, 3);
        pass(embedded, Duration.ofSeconds(30));
        assertThat(held()).isEqualTo(2);
    }

    @Test
    void guards_hold_a_large_removal_until_an_operator_approves_it() {
        EmbeddedUpdater embedded = embeddedWithFullPool(EngineSettings.DEFAULT);

        endpoints(embedded, 1);
        pass(embedded, Duration.ofSeconds(30));

        assertThat(held()).isEqualTo(NODES);
        EngineStatus status = embedded.engine().status();
        assertThat(status.pools())
                .singleElement()
                .extracting(PoolStatus::difference)
                .satisfies(why -> assertThat(why.orElseThrow().reason()).isEqualTo(Difference.Reason.HELD));

        embedded.engine().agreeToRemovals(Set.of(status.holds().braked().get(0).id()));
        pass(embedded, Duration.ofSeconds(30));
        assertThat(held()).isEqualTo(1);
    }

    @Test
    void without_guards_or_with_the_brake_off_a_large_removal_is_written() {
        for (EngineSettings settings : List.of(
                EngineSettings.DEFAULT.withoutGuards(),
                EngineSettings.REFERENCE,
                EngineSettings.DEFAULT.withGuards(GuardSettings.DEFAULT.withBrake(
                        new BrakeSettings(100, 20, Duration.ofMinutes(10), Duration.ofSeconds(30)))))) {
            EmbeddedUpdater embedded = embeddedWithFullPool(settings);

            endpoints(embedded, 1);
            pass(embedded, Duration.ofSeconds(30));

            assertThat(held()).isEqualTo(1);
        }
    }

    @Test
    void a_pool_changed_by_another_writer_is_repaired_only_with_comparisons() {
        EmbeddedUpdater compares = embeddedWithFullPool(EngineSettings.DEFAULT);
        cloud.putPool(POOL, AddressSet.of("10.0.0.99"));
        pass(compares, Duration.ofMinutes(11));
        assertThat(held()).isEqualTo(NODES);

        EmbeddedUpdater never = embeddedWithFullPool(EngineSettings.DEFAULT.withResync(Duration.ZERO));
        cloud.putPool(POOL, AddressSet.of("10.0.0.99"));
        pass(never, Duration.ofMinutes(11));
        assertThat(held()).isEqualTo(1);
    }

    private EmbeddedUpdater embeddedWithFullPool(EngineSettings settings) {
        EmbeddedUpdater embedded = embedded(settings);
        embedded.lead(() -> leads);
        endpoints(embedded, NODES);
        pass(embedded, Duration.ofSeconds(30));
        assertThat(held()).isEqualTo(NODES);
        return embedded;
    }

    @Test
    void the_page_shows_this_class() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/poolkeeper/core/examples/EmbeddedUpdater.java"));

        assertThat(Path.of("../docs/embedding.md")).content().contains("```java\n" + source + "```");
    }
}
