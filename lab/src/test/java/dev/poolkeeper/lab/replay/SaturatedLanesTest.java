package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All pools of 20 load balancers change at once; the daemon's defaults, the resource lock, and no other writer. */
class SaturatedLanesTest {

    private static final int LOAD_BALANCERS = 20;
    private static final int POOLS = 60 * LOAD_BALANCERS;

    private record Made(PoolKey pool, Instant begin, Instant end) {}

    private record Held(Instant begin, Instant end) {}

    @TempDir
    private Path folder;

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final EndpointIndex view = new EndpointIndex(time);
    private final FakeResourceLock lock = new FakeResourceLock();
    private final TimedCalls calls =
            new TimedCalls(cloud, time, new ArmTimes(Duration.ofMillis(60), Duration.ofSeconds(3), 20, 1));
    private final List<Made> made = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private Instant next = time.instant();

    private final class NotedPools implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return noted(pool, () -> calls.read(pool, context));
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            return noted(read.key(), () -> calls.write(read, addresses, context));
        }
    }

    private Reply<BackendPool> noted(PoolKey pool, Supplier<Reply<BackendPool>> call) {
        Instant begin = time.instant();
        Reply<BackendPool> reply = call.get();
        made.add(new Made(pool, begin, time.instant()));
        return reply;
    }

    private Optional<ResourceLock.Hold> acquire() {
        Instant begin = time.instant();
        return lock.tryAcquire().map(hold -> new ResourceLock.Hold() {
            @Override
            public boolean isHeld() {
                return hold.isHeld();
            }

            @Override
            public void close() {
                hold.close();
                held.add(new Held(begin, time.instant()));
            }
        });
    }

    @BeforeEach
    void roll() throws Exception {
        Configuration defaults = ConfigurationReader.readForReplay(
                Files.writeString(folder.resolve("poolkeeper.yaml"), "subscriptionId: s-1\nresourceGroup: g-1\n"));
        Engine engine = Engine.builder(view, new NotedPools(), cloud, time)
                .hasSynced(() -> true)
                .settings(defaults.engine())
                .executor(new BoundedLanes(calls, defaults.daemon().calls().concurrency()))
                .sideBySide()
                .lister(Runnable::run)
                .resourceLock(this::acquire)
                .build();
        engine.onWake(() -> next = time.instant());
        view.nodeChanged(new NodeState("n0", Map.of(), List.of("10.0.0.1")));
        view.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.2")));
        for (int i = 0; i < POOLS; i++) {
            cloud.putPool(
                    PoolKey.of("lb-%02d".formatted(i % LOAD_BALANCERS), "shop-web" + i), AddressSet.of("10.0.0.1"));
            ServiceName service = new ServiceName("shop", "web" + i);
            view.serviceChanged(new ServiceState(service, "LoadBalancer", "Local", List.of("IPv4")));
            view.sliceChanged(new EndpointSliceState("shop", "web" + i, service, "IPv4", List.of("n1")));
        }
        engine.startLeading(Term.untilEnded());
        do {
            time.advanceTo(earlier(next, calls.nextEnd()));
            calls.endCalls();
            step(engine);
            while (calls.hasStarts()) {
                calls.start();
            }
        } while (engine.nextEligibleAt().isPresent() || calls.nextEnd().isPresent());
    }

    private void step(Engine engine) {
        if (!time.instant().isBefore(next)) {
            next = Instant.MAX;
            Instant said = engine.step();
            next = said.isBefore(next) ? said : next;
        }
    }

    private Instant earlier(Instant step, Optional<Instant> end) {
        Instant first = end.filter(step::isAfter).orElse(step);
        return first.isAfter(time.instant()) ? first : time.instant();
    }

    @Test
    @Rule(
            id = "K10",
            says = "A hold of the resource lock for a minute ends with the last call under it; five seconds later, at"
                    + " the same instant, every load balancer that has something to write goes on.",
            source = "ours")
    void the_pause_begins_with_the_end_of_the_last_call_and_all_go_on_together() {
        assertThat(held).hasSizeGreaterThan(3);
        for (int i = 0; i < held.size() - 1; i++) {
            Instant end = held.get(i).end();
            Instant again = held.get(i + 1).begin();
            assertThat(made.stream().map(Made::end)).contains(end);
            assertThat(Duration.between(end, again)).isEqualTo(Duration.ofSeconds(5));
            assertThat(loadBalancers(call -> call.begin().equals(again)))
                    .containsExactlyInAnyOrderElementsOf(
                            loadBalancers(call -> !call.begin().isBefore(again)));
        }
    }

    private List<ArmName> loadBalancers(Predicate<Made> calls) {
        return made.stream()
                .filter(calls)
                .map(call -> call.pool().loadBalancer())
                .distinct()
                .toList();
    }

    @Test
    @Rule(
            id = "K11",
            says = "With the daemon's defaults the calls of each of 20 saturated load balancers, whose writes take 3 s,"
                    + " take up 95 % of the time outside of the pauses for other writers.",
            source = "ours")
    void saturated_load_balancers_are_in_calls_for_nearly_all_of_the_time() {
        assertThat(loadBalancers(call -> true)).hasSize(LOAD_BALANCERS).allSatisfy(name -> {
            List<Made> its = made.stream()
                    .filter(call -> call.pool().loadBalancer().equals(name))
                    .toList();
            Instant end = its.getLast().end();
            long pauses = held.stream().filter(hold -> hold.end().isBefore(end)).count();
            Duration inCalls = its.stream()
                    .map(call -> Duration.between(call.begin(), call.end()))
                    .reduce(Duration.ZERO, Duration::plus);
            Duration total = Duration.between(its.getFirst().begin(), end).minusSeconds(5 * pauses);
            assertThat(inCalls.toMillis()).isGreaterThan(total.toMillis() * 95 / 100);
        });
    }
}
