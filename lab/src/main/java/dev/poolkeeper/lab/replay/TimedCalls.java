package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FakeCloud.CallInProgress;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.time.VirtualThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Calls that take virtual time, made by parallel lanes: virtual threads of which one runs at a time, on the replaying
 * thread. Lanes that start at the same instant start together, after everything else at that instant and in the order
 * of the load balancers' names. For one thread.
 */
public final class TimedCalls extends LaneStarts implements BackendPools {

    private final FakeCloud cloud;
    private final FakeTime time;
    private final ArmTimes times;
    private final DoubleSupplier factors;
    private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
    private final Thread.Builder.OfVirtual threads = VirtualThreads.on(ready::add);
    private final List<Start> starts = new ArrayList<>();
    private final PriorityQueue<End> ends =
            new PriorityQueue<>(Comparator.comparing(End::at).thenComparingLong(End::order));
    private long started;

    private record Start(PoolKey pool, CompletableFuture<Void> turn) {}

    private record End(Instant at, long order, CompletableFuture<Void> turn) {}

    public TimedCalls(FakeCloud cloud, FakeTime time, ArmTimes times) {
        this.cloud = cloud;
        this.time = time;
        this.times = times;
        this.factors = times.factors();
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        return call(pool, times.read(), () -> cloud.beginRead(pool));
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        return call(read.key(), times.write(), () -> cloud.beginWrite(read, addresses));
    }

    private Reply<BackendPool> call(PoolKey pool, Duration takes, Supplier<CallInProgress> begin) {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        starts.add(new Start(pool, turn));
        turn.join();
        CallInProgress call = begin.get();
        if (!call.isSent()) {
            return call.end();
        }
        Duration usual = call.isFaulted() ? times.read() : takes;
        long nanos = Math.round(usual.toNanos() * factors.getAsDouble());
        CompletableFuture<Void> over = new CompletableFuture<>();
        ends.add(new End(time.instant().plusNanos(nanos), started++, over));
        over.join();
        return call.end();
    }

    @Override
    Optional<Instant> nextEnd() {
        return Optional.ofNullable(ends.peek()).map(End::at);
    }

    @Override
    void endCalls() {
        while (!ends.isEmpty() && !ends.element().at().isAfter(time.instant())) {
            ends.remove().turn().complete(null);
            settle();
        }
    }

    @Override
    boolean hasStarts() {
        return super.hasStarts() || !starts.isEmpty();
    }

    @Override
    void run(Runnable lane) {
        threads.start(lane);
        settle();
    }

    /** Starts the waiting lanes, then the calls. */
    @Override
    void start() {
        super.start();
        List<Start> now = new ArrayList<>(starts);
        starts.clear();
        now.sort(Comparator.comparing((Start start) -> start.pool().loadBalancer()));
        for (Start start : now) {
            start.turn().complete(null);
            settle();
        }
    }

    /** Runs every thread until all of them wait. */
    private void settle() {
        for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
            next.run();
        }
    }
}
