package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.tick.Lanes;
import dev.poolkeeper.core.tick.UpdaterPorts;
import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A keeper with cluster and cloud in memory: node {@code nK} has the address {@code 10.0.0.K}. */
final class KeeperFixture {

    static final Duration TICK = Duration.ofSeconds(30);

    final FakeTime clock = new FakeTime();
    final FakeCloud cloud = new FakeCloud(clock);
    final FakeCluster cluster = new FakeCluster();
    final FakeServiceEvents events = new FakeServiceEvents(clock);
    final PoolKeeper keeper;
    boolean synced = true;
    boolean leader = true;
    Runnable onRead = () -> {};
    int listings;

    @Nullable
    Failure listingFailure;

    KeeperFixture() {
        this(KeeperSettings.DEFAULT);
    }

    KeeperFixture(KeeperSettings settings) {
        ReentrantLock lock = new ReentrantLock();
        PoolDirectory directory = () -> {
            listings++;
            Failure failure = listingFailure;
            return failure == null ? cloud.list() : Reply.<List<BackendPool>>failed(failure);
        };
        BackendPools pools = new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool) {
                onRead.run();
                return cloud.read(pool);
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
                return cloud.write(read, addresses);
            }
        };
        keeper = new PoolKeeper(
                settings,
                new KeeperPorts(
                        directory,
                        new UpdaterPorts(pools, new FakeResourceLock(), events),
                        () -> Lanes.oneAfterAnother(lock),
                        () -> synced,
                        () -> leader),
                clock,
                () -> 0.5);
        cluster.listen(keeper.cluster());
        for (int i = 1; i <= 60; i++) {
            cluster.put(new NodeState("n" + i, Map.of(), List.of("10.0.0." + i)));
        }
    }

    static KeeperSettings inModel(UpdateModel model) {
        KeeperSettings settings = KeeperSettings.DEFAULT;
        return new KeeperSettings(
                settings.updater(),
                model,
                settings.directoryRefresh(),
                settings.waits(),
                settings.resync(),
                settings.brake(),
                settings.drift(),
                settings.forbiddenWaits());
    }

    /** A local Service {@code shop/NAME}, with endpoints on these nodes. */
    void service(String name, int... nodes) {
        put(name, false, 0);
        endpoints(name, nodes);
    }

    void put(String name, boolean paused, long fingerprint) {
        cluster.put(new ServiceState(
                new ServiceName("shop", name), "LoadBalancer", "Local", List.of("IPv4"), paused, fingerprint));
    }

    void endpoints(String name, int... nodes) {
        cluster.put(new EndpointSliceState(
                "shop",
                name + "-1",
                new ServiceName("shop", name),
                "IPv4",
                java.util.Arrays.stream(nodes).mapToObj(node -> "n" + node).toList()));
    }

    /** The pool of {@code shop/NAME} on {@code lb-1}, holding the addresses of these nodes. */
    void pool(String name, int... nodes) {
        cloud.putPool(key(name), addresses(nodes));
    }

    static PoolKey key(String name) {
        return PoolKey.of("lb-1", "shop-" + name);
    }

    static AddressSet addresses(int... nodes) {
        return AddressSet.of(java.util.Arrays.stream(nodes)
                .mapToObj(node -> "10.0.0." + node)
                .toArray(String[]::new));
    }

    AddressSet held(String name) {
        return cloud.addresses(key(name)).orElseThrow();
    }

    void fault(FaultRule rule) {
        cloud.faults().add(rule);
    }

    /** Lets time pass: a turn whenever it is due, a tick every 30 seconds. */
    void run(Duration duration) {
        Instant end = clock.instant().plus(duration);
        Instant nextTick = clock.instant().plus(TICK);
        while (true) {
            keeper.turn();
            Instant turn = keeper.nextTurn();
            Instant next = turn.isBefore(nextTick) && turn.isAfter(clock.instant()) ? turn : nextTick;
            if (next.isAfter(end)) {
                clock.advanceTo(end);
                return;
            }
            clock.advanceTo(next);
            if (next.equals(nextTick)) {
                keeper.tick().join();
                nextTick = nextTick.plus(TICK);
            }
        }
    }

    void tick() {
        run(TICK);
    }

    List<String> calls() {
        return cloud.calls().stream()
                .map(call -> call.method() + " " + call.pool().pool())
                .toList();
    }

    long writes() {
        return cloud.calls().stream()
                .filter(call -> call.method().equals("PUT"))
                .count();
    }

    List<Call> callsSince(int count) {
        return cloud.calls().subList(count, cloud.calls().size());
    }

    List<String> reasons() {
        return events.events().stream()
                .map(event -> event.service() + " " + event.reason().name())
                .toList();
    }
}
