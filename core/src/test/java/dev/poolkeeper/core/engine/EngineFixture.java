package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.ForwardingTime;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
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
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An engine with cluster and cloud in memory: node {@code nK} has the address {@code 10.0.0.K}. */
final class EngineFixture {

    static final Duration TICK = Duration.ofSeconds(30);
    private static final int NODES = 100;

    final FakeTime time = new FakeTime();
    final FakeCloud cloud = new FakeCloud(time);
    final FakeCluster cluster = new FakeCluster();
    final EndpointIndex index = new EndpointIndex(time);
    final FakeResourceLock resourceLock = new FakeResourceLock();
    final FakeServiceEvents events = new FakeServiceEvents(time);
    final Engine engine;
    final List<Fact> facts = new CopyOnWriteArrayList<>();
    boolean synced = true;
    boolean leader = true;
    Runnable onList = () -> {};
    Runnable onRead = () -> {};
    Runnable onDraw = () -> {};

    /** Intercepts the engine's writes to the cloud. */
    UnaryOperator<Reply<BackendPool>> onWritten = reply -> reply;

    /** Changes what a listing shows of a pool. */
    UnaryOperator<BackendPool> listedAs = pool -> pool;

    /** Changes what a read finds. */
    UnaryOperator<BackendPool> readAs = pool -> pool;

    Runnable onWrite = () -> {};
    int listings;

    @Nullable
    Failure listingFailure;

    private Instant nextTick = time.instant().plus(TICK);

    EngineFixture() {
        this(EngineSettings.DEFAULT.withPace(Pace.TICK));
    }

    EngineFixture(EngineSettings settings) {
        this(settings, UnaryOperator.identity());
    }

    /** @param more configures the engine further */
    EngineFixture(EngineSettings settings, UnaryOperator<EngineBuilder> more) {
        EngineBuilder builder = Engine.builder(index, new HookedPools(), directory(), new HookedTime())
                .settings(settings)
                .resourceLock(resourceLock)
                .events(events)
                .facts(facts::add)
                .hasSynced(() -> synced);
        engine = more.apply(builder).build();
        cluster.listen(index);
        for (int i = 1; i <= NODES; i++) {
            node(i);
        }
    }

    private PoolDirectory directory() {
        return () -> {
            listings++;
            Reply<List<BackendPool>> listing = Reply.ok(((Reply.Ok<List<BackendPool>>) cloud.list())
                    .value().stream().map(listedAs).toList());
            onList.run();
            Failure failure = listingFailure;
            return failure == null ? listing : Reply.failed(failure);
        };
    }

    private final class HookedPools implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            onRead.run();
            Reply<BackendPool> reply = cloud.read(pool, context);
            return reply instanceof Reply.Ok<BackendPool>(BackendPool found) ? Reply.ok(readAs.apply(found)) : reply;
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            onWrite.run();
            return onWritten.apply(cloud.write(read, addresses, context));
        }
    }

    private final class HookedTime extends ForwardingTime {
        HookedTime() {
            super(time);
        }

        @Override
        public double draw() {
            onDraw.run();
            return time.draw();
        }
    }

    // --- the cluster ---

    void node(int number) {
        cluster.put(new NodeState("n" + number, Map.of(), List.of("10.0.0." + number)));
    }

    /** Removes all addresses of the node, which stays. */
    void exclude(int number) {
        cluster.put(new NodeState(
                "n" + number,
                Map.of("node.kubernetes.io/exclude-from-external-load-balancers", ""),
                List.of("10.0.0." + number)));
    }

    /** A local Service {@code shop/NAME}, with endpoints on these nodes. */
    void service(String name, int... nodes) {
        put(name, false, 0);
        endpoints(name, nodes);
    }

    void service(ServiceName name, int... nodes) {
        put(name, false, 0);
        endpoints(name, nodes);
    }

    void put(String name, boolean paused, long fingerprint) {
        put(new ServiceName("shop", name), paused, fingerprint);
    }

    void put(ServiceName name, boolean paused, long fingerprint) {
        cluster.put(new ServiceState(
                name, "LoadBalancer", "Local", List.of("IPv4"), null, null, paused, fingerprint, Map.of()));
    }

    void endpoints(String name, int... nodes) {
        endpoints(new ServiceName("shop", name), nodes);
    }

    void endpoints(ServiceName name, int... nodes) {
        cluster.put(new EndpointSliceState(
                name.namespace(),
                name.name() + "-1",
                name,
                "IPv4",
                IntStream.of(nodes).mapToObj(node -> "n" + node).toList()));
    }

    static int[] range(int first, int last) {
        return IntStream.rangeClosed(first, last).toArray();
    }

    static int[] all(int[] some, int... others) {
        return IntStream.concat(Arrays.stream(some), Arrays.stream(others)).toArray();
    }

    // --- the cloud ---

    /** The pool of {@code shop/NAME} on {@code lb-1}, holding the addresses of these nodes. */
    void pool(String name, int... nodes) {
        cloud.putPool(key(name), addresses(nodes));
    }

    /** A local Service and its pool on {@code lb-1}, in step. */
    PoolKey inStep(ServiceName name, int... nodes) {
        PoolKey pool = PoolKey.of("lb-1", name.namespace() + "-" + name.name());
        cloud.putPool(pool, addresses(nodes));
        put(name, false, 0);
        endpoints(name, nodes);
        return pool;
    }

    int size(PoolKey pool) {
        return cloud.addresses(pool).orElseThrow().size();
    }

    static PoolKey key(String name) {
        return PoolKey.of("lb-1", "shop-" + name);
    }

    static AddressSet addresses(int... nodes) {
        return AddressSet.of(
                IntStream.of(nodes).mapToObj(node -> "10.0.0." + node).toArray(String[]::new));
    }

    AddressSet held(String name) {
        return cloud.addresses(key(name)).orElseThrow();
    }

    /** The number of addresses in all pools. */
    int heldInAll() {
        return cloud.poolKeys().stream()
                .mapToInt(pool -> cloud.addresses(pool).orElseThrow().size())
                .sum();
    }

    void fault(FaultRule rule) {
        cloud.faults().add(rule);
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

    // --- the engine ---

    void lead() {
        engine.startLeading(Term.during(() -> leader));
    }

    /** Advances time, with a listing whenever it is due and a tick every 30 seconds. */
    void run(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (true) {
            engine.listIfDue();
            Instant listing = engine.nextListing();
            Instant next = listing.isBefore(nextTick) && listing.isAfter(time.instant()) ? listing : nextTick;
            if (next.isAfter(end)) {
                time.advanceTo(end);
                return;
            }
            time.advanceTo(next);
            tickIfDue();
        }
    }

    /** Advances time while a call is in progress: ticks continue, listings wait. */
    void takes(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (!nextTick.isAfter(end)) {
            time.advanceTo(nextTick);
            tickIfDue();
        }
        time.advanceTo(end);
    }

    private void tickIfDue() {
        if (!time.instant().isBefore(nextTick)) {
            nextTick = nextTick.plus(TICK);
            index.endWaits();
            Ticks.of(engine).join();
        }
    }

    void tick() {
        run(TICK);
    }

    List<BrakedRemoval> braked() {
        return engine.status().holds().braked();
    }

    PoolStatus status(String name) {
        return engine.status().pools().stream()
                .filter(pool -> pool.pool().equals(key(name)))
                .findFirst()
                .orElseThrow();
    }

    int waiting() {
        return engine.status().work().operations();
    }

    List<String> reasons() {
        return events.events().stream()
                .map(event -> event.service() + " " + event.reason().name())
                .toList();
    }
}
