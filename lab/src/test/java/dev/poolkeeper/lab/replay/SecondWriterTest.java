package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another writer of the load balancers, like the Go provider, while both of our lanes are continuously busy. */
class SecondWriterTest {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final int POOLS = 8;

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final EndpointIndex view = new EndpointIndex(time);
    private final FakeResourceLock lock = new FakeResourceLock();
    private final TimedCalls calls =
            new TimedCalls(cloud, time, new ArmTimes(Duration.ofMillis(60), Duration.ofSeconds(8), 0, 0));
    private final Engine engine = Engine.builder(view, calls, cloud, time)
            .hasSynced(() -> true)
            .settings(EngineSettings.DEFAULT.withoutGuards().withDirectoryRefresh(Duration.ZERO))
            .executor(calls)
            .sideBySide()
            .lister(Runnable::run)
            .resourceLock(lock)
            .build();
    private long steps;

    @BeforeEach
    void lead() {
        view.nodeChanged(new NodeState("n0", Map.of(), List.of("10.0.0.1")));
        view.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.2")));
        for (int i = 0; i < POOLS; i++) {
            cloud.putPool(PoolKey.of("lb-" + i % 2, "shop-" + service(i).name()), AddressSet.empty());
            view.serviceChanged(new ServiceState(service(i), "LoadBalancer", "Local", List.of("IPv4")));
            move(i, 0);
        }
        engine.startLeading(Term.untilEnded());
        engine.step(); // lists
    }

    private static ServiceName service(int i) {
        return new ServiceName("shop", "web" + i);
    }

    private void move(int i, long turn) {
        view.sliceChanged(new EndpointSliceState("shop", "web" + i, service(i), "IPv4", List.of("n" + turn % 2)));
    }

    /** Each second a Service moves: more than the lanes can write. */
    private void run(Duration duration) {
        for (long end = steps + duration.dividedBy(STEP); steps < end; steps++) {
            if (steps % 10 == 0) {
                move((int) (steps / 10 % POOLS), steps / 10 / POOLS);
            }
            time.advance(STEP);
            calls.endCalls();
            engine.step();
            while (calls.hasStarts()) {
                calls.start();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 14, 21, 28, 35, 42, 49, 56, 63})
    @Rule(
            id = "J27",
            says = "While all lanes are busy, a writer that requests the resource lock every five seconds acquires it"
                    + " within a minute and a quarter, whenever it starts; afterwards we acquire it again.",
            source = "ours")
    void a_writer_that_keeps_trying_acquires_the_lock(int begins) {
        run(Duration.ofSeconds(100 + begins));
        Optional<ResourceLock.Hold> hold = lock.tryAcquire();
        for (int tries = 1; hold.isEmpty(); tries++) {
            assertThat(tries).isLessThanOrEqualTo(15);
            run(Duration.ofSeconds(5));
            hold = lock.tryAcquire();
        }
        int before = cloud.calls().size();
        run(Duration.ofSeconds(10));
        assertThat(cloud.calls()).hasSize(before);

        hold.get().close();
        run(Duration.ofSeconds(10));
        assertThat(cloud.calls()).hasSizeGreaterThan(before);
    }
}
