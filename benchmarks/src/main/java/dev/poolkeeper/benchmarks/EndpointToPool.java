package dev.poolkeeper.benchmarks;

import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineBuilder;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.Term;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The time from a change of endpoints to the end of the write of its pool: 200 pools on ten load balancers, writes of 5
 * s, for ten minutes one change per second of a random Service, one tick per second; through the real Azure SDK over
 * TLS with the emulator. Times are in units of a write, so 1.5 means 7.5 s.
 *
 * <p>All durations are scaled down by the same factor: writes, polls, ticks, changes, and the engine's own clock. The
 * machine's own overhead is not, so a larger factor does not improve the results.
 *
 * <p>Measured once with load balancers in parallel, and once in a single loop, one pool after another, like the Go
 * updater. Every change counts: the measurement continues until the last one is written. Runs in a separate JVM.
 */
public final class EndpointToPool {

    static final String NAME = "endpoint-to-pool";

    private static final int POOLS = 200;
    private static final int ADDRESSES = 20;
    private static final int NODES = 5_000;
    private static final int CHANGES = 600;
    private static final int WARM_UP = 20;
    private static final int MOST_LANES = 16;
    private static final Duration WRITE = Duration.ofSeconds(5);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration CHANGE = Duration.ofSeconds(1);
    private static final long SEED = 20_261_120;

    private final int scale;
    private final Duration write;
    private final ChangeTimes times = new ChangeTimes();
    private final AtomicInteger writes = new AtomicInteger();
    private final FakeCloud cloud = new FakeCloud(InstantSource.system());
    private final Random random = new Random(SEED);
    private final int[] rounds = new int[POOLS];

    private EndpointToPool(int scale) {
        this.scale = scale;
        this.write = WRITE.dividedBy(scale);
    }

    /** Measures each variant in a separate JVM. */
    static List<Measured> run(Arguments arguments) throws IOException, InterruptedException {
        List<Measured> results = new ArrayList<>();
        String scale = arguments.quick() ? "20" : "5";
        for (String way : List.of("desired", "diff", "sequential")) {
            List<String> options = new ArrayList<>(List.of("-Xmx1g"));
            options.addAll(arguments.recording(NAME + "-" + way));
            String[] line =
                    OwnJvm.run(EndpointToPool.class, options, way, scale).split(" ", 2);
            String id = way.equals("desired") ? NAME : NAME + "-" + way;
            results.add(new Measured(id + "-p50", Double.parseDouble(line[0]), "writes", null));
            results.add(new Measured(id + "-p99", Double.parseDouble(line[1]), "writes", null));
        }
        return results;
    }

    /** @param args {@code desired}, {@code diff} or {@code sequential}, and the factor by which time is scaled */
    public static void main(String[] args) throws IOException, InterruptedException {
        Peer.require(args.length == 2, "a way and a scale", args.length);
        EndpointToPool run = new EndpointToPool(Integer.parseInt(args[1]));
        ExecutorService threads = Executors.newFixedThreadPool(MOST_LANES, work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        boolean sequential = args[0].equals("sequential");
        long[] nanos = run.measure(
                Peer.model(sequential ? "desired" : args[0]),
                it -> sequential ? it : it.executor(threads).sideBySide());
        Peer.require(nanos.length == CHANGES, CHANGES + " changes written", nanos.length);
        Peer.require(run.writes.get() <= CHANGES, "at most a write a change", run.writes.get());
        System.err.printf(
                Locale.ROOT,
                "%s: %d changes, %d writes, slowest %.2f writes%n",
                args[0],
                nanos.length,
                run.writes.get(),
                run.inWrites(nanos[nanos.length - 1]));
        System.out.println(run.inWrites(quantile(nanos, 0.5)) + " " + run.inWrites(quantile(nanos, 0.99)));
    }

    private double inWrites(long nanos) {
        return nanos / (double) write.toNanos();
    }

    /** The smallest time that this share of the changes did not exceed. */
    private static long quantile(long[] sorted, double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private long[] measure(UpdateModel model, UnaryOperator<EngineBuilder> lanes)
            throws IOException, InterruptedException {
        IntStream.range(0, POOLS).forEach(i -> cloud.putPool(Peer.pool(i), wanted(i)));
        PollSettings polls = new PollSettings(
                PollSettings.DEFAULT.interval().dividedBy(scale),
                PollSettings.DEFAULT.maxInterval().dividedBy(scale),
                PollSettings.DEFAULT.deadline());
        try (SystemTime machine = new SystemTime();
                EmulatedAzure azure = EmulatedAzure.start(cloud, write, polls)) {
            EndpointIndex index = new EndpointIndex(machine);
            Watched pools = new Watched(azure.pools());
            EngineBuilder builder = Engine.builder(index, pools, azure.pools(), new FasterTime(machine, scale))
                    .hasSynced(() -> true)
                    .settings(EngineSettings.REFERENCE
                            .withModel(model)
                            .withPace(new Pace.Tick(TICK))
                            .withDirectoryRefresh(Duration.ZERO))
                    .lister(Runnable::run)
                    .ticks(tick -> tick.get().whenComplete((done, failure) -> times.failed(failure)));
            Engine engine = lanes.apply(builder).build();
            fill(index);
            engine.startLeading(Term.untilEnded());
            engine.step(); // lists
            Peer.require(
                    engine.isServing(),
                    "an engine that has listed the pools",
                    engine.status().listing());
            warmUp(index, engine, pools);

            ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
            ScheduledExecutorService changes = Executors.newSingleThreadScheduledExecutor();
            every(TICK.dividedBy(50), ticks, engine::step);
            AtomicInteger made = new AtomicInteger();
            every(CHANGE, changes, () -> {
                if (made.getAndIncrement() < CHANGES) {
                    change(index, random.nextInt(POOLS));
                }
            });
            long[] nanos = times.await(CHANGES);
            changes.shutdownNow();
            ticks.shutdownNow();
            Peer.require(ticks.awaitTermination(1, TimeUnit.MINUTES), "the last tick to end", "one that goes on");
            for (int i = 0; i < POOLS; i++) {
                AddressSet held = value(cloud.read(Peer.pool(i))).addresses();
                Peer.require(held.equals(wanted(i)), "pool %d to hold what is wanted".formatted(i), held);
            }
            return nanos;
        }
    }

    /** Reads every pool, and writes some of them. */
    private void warmUp(EndpointIndex index, Engine engine, BackendPools pools) throws InterruptedException {
        Peer.require(
                engine.nextEligibleAt().isEmpty(),
                "pools as wanted at first",
                engine.status().work());
        IntStream.range(0, POOLS).forEach(i -> pools.read(Peer.pool(i)));
        IntStream.range(0, WARM_UP).forEach(i -> change(index, i));
        while (engine.nextEligibleAt().isPresent()) { // the resource lock is released every minute
            engine.step();
            Thread.onSpinWait();
        }
        Peer.require(
                times.await(WARM_UP).length == WARM_UP,
                "the first changes to be written",
                engine.status().work());
        writes.set(0);
    }

    private void every(Duration interval, ScheduledExecutorService executor, Runnable work) {
        long nanos = interval.toNanos() / scale;
        Future<?> unused = executor.scheduleAtFixedRate(work, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private void fill(EndpointIndex index) {
        IntStream.range(0, NODES).forEach(j -> index.nodeChanged(Peer.node(j)));
        for (int i = 0; i < POOLS; i++) {
            index.serviceChanged(new ServiceState(Peer.service(i), "LoadBalancer", "Local", List.of("IPv4")));
            index.sliceChanged(slice(i));
        }
    }

    private void change(EndpointIndex index, int i) {
        rounds[i]++;
        times.changed(Peer.pool(i), wanted(i));
        index.sliceChanged(slice(i));
    }

    private AddressSet wanted(int i) {
        return Peer.window(i, rounds[i], ADDRESSES);
    }

    private EndpointSliceState slice(int i) {
        int round = rounds[i];
        return SliceStates.slice(
                Peer.service(i), Peer.service(i).name() + "-0", ADDRESSES, e -> (i * 7 + round * 13 + e) % NODES);
    }

    private static BackendPool value(Reply<BackendPool> reply) {
        return switch (reply) {
            case Reply.Ok<BackendPool>(BackendPool pool) -> pool;
            case Reply.Failed<BackendPool>(var failure) -> throw new IllegalStateException(failure.describe());
        };
    }

    /** Records writes. A failed call ends the measurement. */
    private final class Watched implements BackendPools {

        private final BackendPools pools;

        Watched(BackendPools pools) {
            this.pools = pools;
        }

        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return noted(pools.read(pool, context));
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            Reply<BackendPool> reply = noted(pools.write(read, addresses, context));
            if (reply instanceof Reply.Ok<BackendPool>(BackendPool written)) {
                writes.incrementAndGet();
                times.written(read.key(), written.addresses());
            }
            return reply;
        }

        private Reply<BackendPool> noted(Reply<BackendPool> reply) {
            if (reply instanceof Reply.Failed<BackendPool>(var failure)) {
                times.failed(new IllegalStateException(failure.describe()));
            }
            return reply;
        }
    }
}
