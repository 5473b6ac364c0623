package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.FakeMetrics;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.ManualClock;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** An updater with everything around it in memory, and a map of local Services as an embedder would keep it. */
final class Fixture {

    static final Duration INTERVAL = Duration.ofSeconds(30);
    static final ServiceName WEB = new ServiceName("shop", "web");
    static final ServiceName API = new ServiceName("shop", "api");
    static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    static final PoolKey OTHER_POOL = PoolKey.of("lb-1", "shop-api");

    final ManualClock clock = new ManualClock();
    final FakeCloud cloud = new FakeCloud(clock);
    final FakeResourceLock resourceLock = new FakeResourceLock();
    final FakeServiceEvents events = new FakeServiceEvents(clock);
    final FakeMetrics metrics = new FakeMetrics();
    final ReentrantLock reconcileLock = new ReentrantLock();
    final Map<ServiceName, PoolKey> localServices = new ConcurrentHashMap<>();
    final OperationQueue queue;
    final BackendPoolUpdater updater;
    private volatile Runnable duringRead = () -> {};
    private volatile Runnable duringWrite = () -> {};

    Fixture(UpdateModel model) {
        this(model, 3, RetryBudget.ENDLESS);
    }

    Fixture(UpdateModel model, int maxRetries) {
        this(model, maxRetries, RetryBudget.ENDLESS);
    }

    Fixture(UpdateModel model, int maxRetries, RetryBudget budget) {
        this(model, maxRetries, budget, pools -> pools);
    }

    /** @param wrap stands between the updater and the cloud */
    Fixture(UpdateModel model, int maxRetries, RetryBudget budget, UnaryOperator<BackendPools> wrap) {
        queue = new OperationQueue(model);
        LocalServices services = (service, pool) -> pool.equals(localServices.get(service));
        updater = new BackendPoolUpdater(
                new UpdaterSettings(maxRetries),
                queue,
                services,
                new UpdaterPorts(wrap.apply(new HookedPools()), resourceLock, events, metrics, budget),
                reconcileLock,
                clock);
        local(WEB, POOL);
        cloud.putPool(POOL, AddressSet.empty());
        cloud.putPool(OTHER_POOL, AddressSet.empty());
    }

    /** Runs while the next calls are under way. */
    void duringWrite(Runnable action) {
        duringWrite = action;
    }

    void duringRead(Runnable action) {
        duringRead = action;
    }

    void local(ServiceName service, PoolKey pool) {
        localServices.put(service, pool);
    }

    void add(ServiceName service, PoolKey pool, String... addresses) {
        queue.add(new Operation.Add(service, pool, AddressSet.of(addresses)));
    }

    void remove(ServiceName service, PoolKey pool, String... addresses) {
        queue.add(new Operation.Remove(service, pool, AddressSet.of(addresses)));
    }

    void replace(ServiceName service, PoolKey pool, String... addresses) {
        queue.add(new Operation.Replace(service, pool, AddressSet.of(addresses)));
    }

    void fault(FaultRule rule) {
        cloud.faults().add(rule);
    }

    /** Lets an interval pass and ticks. */
    void tick() {
        clock.advance(INTERVAL);
        updater.process();
    }

    void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    AddressSet held(PoolKey pool) {
        return cloud.addresses(pool).orElseThrow();
    }

    /** The events so far as {@code namespace/name reason}. */
    List<String> reasons() {
        return events.events().stream()
                .map(event -> event.service() + " " + event.reason().name())
                .toList();
    }

    List<String> messages() {
        return events.events().stream().map(event -> event.message()).toList();
    }

    /** The calls so far as {@code METHOD status}. */
    List<String> calls() {
        return cloud.calls().stream()
                .map(call -> call.method() + " " + call.status())
                .toList();
    }

    long callsTo(PoolKey pool) {
        return cloud.calls().stream().map(Call::pool).filter(pool::equals).count();
    }

    /** Succeeded, failed, retried. */
    List<Long> counted() {
        return List.of(metrics.succeeded(), metrics.failed(), metrics.retried());
    }

    private final class HookedPools implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool) {
            duringRead.run();
            return cloud.read(pool);
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
            duringWrite.run();
            return cloud.write(read, addresses);
        }
    }
}
