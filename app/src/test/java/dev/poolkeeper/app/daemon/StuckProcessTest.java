package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.admin.Check;
import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.app.wiring.Leads;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.lease.LeaseStore;
import dev.poolkeeper.k8s.lease.LeaseStoreException;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two processes with the daemon's parts on a clock that the test moves. One of them enters an endless loop that no
 * interrupt ends, on a thread of its own.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StuckProcessTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final MemoryLease leader = new MemoryLease();
    private final MemoryLease locker = new MemoryLease();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    /** Where the loop is, and when the process may not be stuck yet and must be. */
    enum Plant {
        POLICY_DECISION(60),
        ATTEMPT(80),
        READ(360),
        WRITE(360),
        LISTING(360),
        TICK(130);

        private final Duration limit;

        Plant(int seconds) {
            this.limit = Duration.ofSeconds(seconds);
        }
    }

    private static final class MemoryLease {
        private Lease lease;
        private long version;

        private synchronized Lease write(Lease next, String expected) throws LeaseStoreException {
            if (!String.valueOf(version).equals(expected)) {
                throw new LeaseStoreException("changed", true, null);
            }
            lease = next.edit()
                    .editOrNewMetadata()
                    .withName("lease")
                    .withResourceVersion(Long.toString(++version))
                    .endMetadata()
                    .build();
            return lease;
        }

        private LeaseStore of(Process process) {
            return new LeaseStore() {
                @Override
                public Optional<Lease> get() {
                    synchronized (MemoryLease.this) {
                        return Optional.ofNullable(lease);
                    }
                }

                @Override
                public Lease create(Lease wanted) throws LeaseStoreException {
                    return update(wanted, "0");
                }

                @Override
                public Lease update(Lease wanted) throws LeaseStoreException {
                    return update(wanted, wanted.getMetadata().getResourceVersion());
                }

                private Lease update(Lease wanted, String expected) throws LeaseStoreException {
                    Lease written = write(wanted, expected);
                    process.leaseWrites.add(process.now());
                    return written;
                }
            };
        }

        private synchronized String holder() {
            return lease == null ? null : lease.getSpec().getHolderIdentity();
        }
    }

    /** A process with the daemon's parts. */
    private final class Process implements BackendPools, AutoCloseable {
        final Watchdog watchdog = new Watchdog(time::nanoTime);
        final EndpointIndex view = new EndpointIndex(time);
        final List<Instant> leaseWrites = new CopyOnWriteArrayList<>();
        final List<Instant> sent = new CopyOnWriteArrayList<>();
        final Engine engine;
        final LeaderElection election;
        final CallRetries retries;
        private final Watchdog.Heartbeat ticks = watchdog.watch("ticks", Duration.ofSeconds(150));
        private Future<?> step = CompletableFuture.completedFuture(null);
        private volatile Future<?> listing = CompletableFuture.completedFuture(null);
        private volatile Instant next = Instant.MIN;
        volatile Plant plant;
        volatile boolean inLoop;
        final CountDownLatch loopEnds = new CountDownLatch(1);
        private volatile CompletableFuture<Void> lanes = CompletableFuture.completedFuture(null);

        Process(String name) {
            retries = new WatchedRetries(
                    context -> {
                        loopIn(Plant.POLICY_DECISION);
                        return new CallRetries.Exchange() {
                            @Override
                            public Optional<Duration> attemptTimeout() {
                                return Optional.of(Duration.ofSeconds(20));
                            }

                            @Override
                            public CallRetries.Decision afterStatus(int status, Duration retryAfter) {
                                throw new AssertionError();
                            }

                            @Override
                            public CallRetries.Decision afterConnectionError() {
                                throw new AssertionError();
                            }
                        };
                    },
                    watchdog,
                    DEADLINE);
            LeaseResourceLock lock =
                    new LeaseResourceLock(locker.of(this), name, ResourceLockSettings.DEFAULT, time, watchdog::isSound);
            engine = Engine.builder(
                            view,
                            new WatchedPools(this, watchdog, DEADLINE),
                            WatchedPools.directory(
                                    () -> {
                                        loopIn(Plant.LISTING);
                                        return cloud.list();
                                    },
                                    watchdog,
                                    DEADLINE),
                            time)
                    .hasSynced(() -> true)
                    .resourceLock(lock)
                    .executor(threads)
                    .sideBySide()
                    .lister(task -> listing = threads.submit(task))
                    .ticks(tick -> lanes = tick.get())
                    .build();
            election = new LeaderElection(
                    leader.of(this),
                    name,
                    ElectionSettings.DEFAULT,
                    time,
                    new Leads(engine, Optional.empty()),
                    watchdog::isSound);
            view.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.1")));
            view.nodeChanged(new NodeState("n2", Map.of(), List.of("10.0.0.2")));
            view.serviceChanged(
                    new ServiceState(new ServiceName("shop", "web"), "LoadBalancer", "Local", List.of("IPv4")));
        }

        Instant now() {
            return time.instant();
        }

        void endpoints(String node) {
            view.sliceChanged(
                    new EndpointSliceState("shop", "web-1", new ServiceName("shop", "web"), "IPv4", List.of(node)));
        }

        private void loopIn(Plant here) {
            if (plant == here) {
                inLoop = true;
                while (loopEnds.getCount() > 0) {
                    try {
                        loopEnds.await();
                    } catch (InterruptedException e) {
                        // goes on, as a loop would that never looks
                    }
                }
                inLoop = false;
            }
        }

        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return call(Plant.READ, context, () -> cloud.read(pool, context));
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            return call(Plant.WRITE, context, () -> cloud.write(read, addresses, context));
        }

        /** As the adapter does: a decision, an attempt, and the fence before the request. */
        private Reply<BackendPool> call(Plant here, CallContext context, Supplier<Reply<BackendPool>> request) {
            CallRetries.Exchange exchange = retries.begin(context);
            try {
                exchange.attemptTimeout();
                loopIn(Plant.ATTEMPT);
            } finally {
                exchange.end();
            }
            loopIn(here);
            if (!context.term().isCurrent()) {
                return Reply.failed(Failure.Cancelled.atFence());
            }
            sent.add(now());
            return request.get();
        }

        /** The steps that are due, unless one is stuck; waits until what they start ends or is in the endless loop. */
        void turn() {
            do {
                if (!step.isDone()) {
                    return;
                }
                step = threads.submit(() -> {
                    ticks.beat();
                    loopIn(Plant.TICK);
                    next = engine.step();
                });
                await(step, Plant.TICK);
                await(listing, Plant.LISTING);
                while (!lanes.isDone() && !inLoop) {
                    Thread.onSpinWait();
                }
            } while (!inLoop && !next.isAfter(now()));
        }

        /** @param own where this task itself can be stuck: only then it is not waited for */
        private void await(Future<?> task, Plant own) {
            while (!task.isDone() && !(inLoop && plant == own)) {
                Thread.onSpinWait();
            }
        }

        boolean isAlive() {
            return watchdog.checks().stream().allMatch(Check::passes);
        }

        @Override
        public void close() {
            loopEnds.countDown();
            engine.shutdown();
            election.abandon();
        }
    }

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void stop() {
        processes.forEach(Process::close);
        threads.shutdownNow();
    }

    private Process start(String name) {
        Process process = new Process(name);
        processes.add(process);
        process.endpoints("n1");
        process.election.start();
        return process;
    }

    private void pass(Duration duration) {
        for (long second = 0; second < duration.toSeconds(); second++) {
            time.advance(Duration.ofSeconds(1));
            processes.forEach(Process::turn);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "O61",
            says = "A process that is stuck in a loop that nothing can interrupt lets both Leases expire, and another"
                    + " replica leads and writes within 90 s.",
            source = "ours")
    void a_process_in_an_endless_loop_gives_way_to_another_one(Plant plant) {
        // given
        cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
        Process a = start("a");
        pass(Duration.ofSeconds(5));
        Process b = start("b");
        pass(Duration.ofSeconds(20));
        assertThat(leader.holder()).isEqualTo("a");
        // when: a change makes it enter the loop
        a.plant = plant;
        processes.forEach(process -> process.endpoints("n2"));
        if (plant == Plant.LISTING) {
            a.engine.askForListing();
        }
        for (int seconds = 0; seconds < 40 && !a.inLoop; seconds++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(a.inLoop).isTrue();
        // then: nothing happens before the limit, because Azure may be slow
        pass(plant.limit.minusSeconds(2));
        assertThat(a.watchdog.isSound()).isTrue();
        assertThat(leader.holder()).isEqualTo("a");
        assertThat(a.isAlive()).isTrue();
        // and after it no Lease is renewed, and /livez fails
        pass(Duration.ofSeconds(16));
        assertThat(a.watchdog.isSound()).isFalse();
        assertThat(a.election.isLeader()).isFalse();
        Instant stuck = time.instant();
        pass(Duration.ofSeconds(12));
        assertThat(a.isAlive()).isFalse();
        assertThat(a.leaseWrites).allMatch(at -> at.isBefore(stuck));
        // and another one takes over
        pass(Duration.ofSeconds(78));
        assertThat(leader.holder()).isEqualTo("b");
        assertThat(cloud.addresses(POOL)).contains(AddressSet.of("10.0.0.2"));
        // and when the loop ends after all, nothing is sent
        List<Instant> before = List.copyOf(a.sent);
        a.loopEnds.countDown();
        pass(Duration.ofSeconds(60));
        assertThat(a.sent).isEqualTo(before);
        assertThat(a.leaseWrites).allMatch(at -> at.isBefore(stuck));
        assertThat(leader.holder()).isEqualTo("b");
        assertThat(b.isAlive()).isTrue();
    }
}
