package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.schedule.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Simulates many seeds: in this thread, or in several JVMs with one simulating thread each. */
public final class Campaign {

    /** The campaign stops after this many failures; more would not be read. */
    public static final int MOST_FAILURES = 10;

    private final long from;
    private final long to;
    private final int jobs;
    private final List<Mode> modes;
    private final int minutes;
    private final LongConsumer progress;
    private final Simulators simulators;
    private final AtomicLong next;
    private final AtomicLong done = new AtomicLong();
    private final CampaignResult.Builder result = new CampaignResult.Builder();
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private volatile boolean stopped;

    /**
     * @param from the first seed
     * @param to the last seed
     * @param jobs the number of JVMs that it starts
     * @param modes the modes in which each seed is simulated
     * @param minutes the length of a run
     * @param progress called with the number of finished seeds, from any thread
     */
    public Campaign(long from, long to, int jobs, List<Mode> modes, int minutes, LongConsumer progress) {
        this(from, to, jobs, modes, minutes, progress, SimulatingJvm::start);
    }

    Campaign(
            long from, long to, int jobs, List<Mode> modes, int minutes, LongConsumer progress, Simulators simulators) {
        this.from = from;
        this.to = to;
        this.jobs = jobs;
        this.modes = List.copyOf(modes);
        this.minutes = minutes;
        this.progress = progress;
        this.simulators = simulators;
        this.next = new AtomicLong(from);
    }

    /** @throws InterruptedException if the calling thread is interrupted; the JVMs it started are ended */
    public CampaignResult run() throws InterruptedException {
        inJvms();
        Throwable thrown = broken.get();
        if (thrown != null) {
            throw new IllegalStateException("the simulation itself failed: " + thrown, thrown);
        }
        return result.build(minutes, to - from + 1 - done.get());
    }

    /** Starts no further seed; {@link #run} then returns the results so far. Thread-safe. */
    public void stop() {
        stopped = true;
    }

    /** Whether {@link #stop} was called. Thread-safe. */
    public boolean isStopped() {
        return stopped;
    }

    private void inJvms() throws InterruptedException {
        List<Simulator> jvms = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 0; i < Math.min(jobs, to - from + 1); i++) {
                Simulator jvm = simulators.start((to - from + 1) * modes.size() / jobs);
                jvms.add(jvm);
                threads.add(Thread.ofPlatform().name("simulation-" + i).daemon().start(() -> work(jvm)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (IOException e) {
            broken.compareAndSet(null, e);
        } finally {
            next.set(Long.MAX_VALUE);
            jvms.forEach(Simulator::close);
        }
    }

    private void work(Simulator jvm) {
        try {
            for (long seed = next.getAndIncrement();
                    seed >= from && seed <= to && result.failures() < MOST_FAILURES && !stopped;
                    seed = next.getAndIncrement()) {
                for (Mode mode : modes) {
                    result.add(jvm.run(new RunJson.Order(seed, mode, minutes, false)));
                }
                progress.accept(done.incrementAndGet());
            }
        } catch (IOException | RuntimeException | Error e) {
            broken.compareAndSet(null, e);
            next.set(Long.MAX_VALUE);
        }
    }

    /** Failures in order of their seeds. */
    static List<RunResult> inOrder(List<RunResult> failures) {
        return failures.stream()
                .sorted(Comparator.comparingLong(
                                (RunResult run) -> run.schedule().seed())
                        .thenComparing(run -> run.schedule().mode()))
                .toList();
    }

    /** Starts what simulates; given the number of runs that it is about to be asked for. */
    interface Simulators {
        Simulator start(long runs) throws IOException;
    }

    /** Simulates one run at a time. */
    interface Simulator extends AutoCloseable {
        RunResult run(RunJson.Order order) throws IOException;

        @Override
        void close();
    }
}
