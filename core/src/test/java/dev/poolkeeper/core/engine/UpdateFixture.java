package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.merge.UpdateModel;
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
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** A leading engine with all its ports in memory, and two empty pools. */
final class UpdateFixture {

    static final Duration INTERVAL = Duration.ofSeconds(30);
    static final ServiceName WEB = new ServiceName("shop", "web");
    static final ServiceName API = new ServiceName("shop", "api");
    static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    static final PoolKey OTHER_POOL = PoolKey.of("lb-1", "shop-api");

    final FakeTime time = new FakeTime();
    final FakeCloud cloud = new FakeCloud(time);
    final FakeResourceLock resourceLock = new FakeResourceLock();
    final FakeServiceEvents events = new FakeServiceEvents(time);
    final UpdateCounts metrics = new UpdateCounts();
    final ReentrantLock reconcileLock = new ReentrantLock();
    final TestClusterView view = new TestClusterView();
    final Engine engine;

    /** What each call carried, in order. */
    final List<CallContext> contexts = Collections.synchronizedList(new ArrayList<>());

    private volatile Runnable duringRead = () -> {};
    private volatile Runnable duringWrite = () -> {};

    /** The design document's behaviour in one of the models. */
    UpdateFixture(UpdateModel model) {
        this(EngineSettings.REFERENCE.withModel(model));
    }

    UpdateFixture(EngineSettings settings) {
        this(settings, UnaryOperator.identity(), UnaryOperator.identity());
    }

    /**
     * @param more configures the engine further
     * @param wrap wraps the cloud for the engine
     */
    UpdateFixture(EngineSettings settings, UnaryOperator<EngineBuilder> more, UnaryOperator<BackendPools> wrap) {
        EngineBuilder builder = Engine.builder(view, wrap.apply(new HookedPools()), cloud, time)
                .hasSynced(() -> true)
                .settings(settings)
                .serviceReconcileLock(reconcileLock)
                .resourceLock(resourceLock)
                .events(events)
                .facts(metrics);
        engine = more.apply(builder).build();
        cloud.putPool(POOL, AddressSet.empty());
        cloud.putPool(OTHER_POOL, AddressSet.empty());
        lead();
    }

    /** Begins a term as leader, and lists. */
    void lead() {
        engine.startLeading(Term.untilEnded());
        engine.listIfDue();
    }

    /** Runs during each read from now on. */
    void duringRead(Runnable action) {
        duringRead = action;
    }

    /** Runs during each write from now on, before the cloud has it. */
    void duringWrite(Runnable action) {
        duringWrite = action;
    }

    void want(ServiceName service, PoolKey pool, String... addresses) {
        view.want(service, pool, addresses);
    }

    void fault(FaultRule rule) {
        cloud.faults().add(rule);
    }

    /** Lets an interval pass and ticks. */
    void tick() {
        time.advance(INTERVAL);
        Ticks.of(engine).join();
    }

    void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    AddressSet held(PoolKey pool) {
        return cloud.addresses(pool).orElseThrow();
    }

    /** The number of waiting operations. */
    int waiting() {
        return engine.status().work().operations();
    }

    PoolStatus status(PoolKey pool) {
        return engine.status().pools().stream()
                .filter(status -> status.pool().equals(pool))
                .findFirst()
                .orElseThrow();
    }

    /** The events so far as {@code namespace/name REASON}. */
    List<String> reasons() {
        return events.events().stream()
                .map(event -> event.service() + " " + event.reason().name())
                .toList();
    }

    List<String> messages() {
        return events.events().stream().map(ServiceEvent::message).toList();
    }

    /** The failed attempts in the events so far. */
    List<ServiceEvent.Cause.Attempt> attempts() {
        return events.events().stream()
                .map(ServiceEvent::cause)
                .filter(ServiceEvent.Cause.Attempt.class::isInstance)
                .map(ServiceEvent.Cause.Attempt.class::cast)
                .toList();
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
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            contexts.add(context);
            duringRead.run();
            return cloud.read(pool, context);
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            contexts.add(context);
            duringWrite.run();
            return cloud.write(read, addresses, context);
        }
    }
}
