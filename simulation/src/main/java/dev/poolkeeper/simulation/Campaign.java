package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Many seeds, on several threads; each run is one thread's alone. */
public final class Campaign {

    /** After so many failures nobody reads on. */
    public static final int MOST_FAILURES = 10;

    private final long from;
    private final long to;
    private final int jobs;
    private final List<Mode> modes;
    private final int minutes;
    private final DaemonFlaws flaws;
    private final LongConsumer progress;
    private final AtomicLong next;
    private final AtomicLong done = new AtomicLong();
    private final CampaignResult.Builder result = new CampaignResult.Builder();
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

    /**
     * @param from the first seed
     * @param to the last seed
     * @param jobs how many threads
     * @param modes each seed runs in each of them
     * @param minutes how long a run is
     * @param flaws bugs to be planted
     * @param progress told how many seeds are done, from any thread
     */
    public Campaign(
            long from, long to, int jobs, List<Mode> modes, int minutes, DaemonFlaws flaws, LongConsumer progress) {
        this.from = from;
        this.to = to;
        this.jobs = jobs;
        this.modes = List.copyOf(modes);
        this.minutes = minutes;
        this.flaws = flaws;
        this.progress = progress;
        this.next = new AtomicLong(from);
    }

    /** @throws InterruptedException if the calling thread is interrupted; the others end with the runs at hand */
    public CampaignResult run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            threads.add(Thread.ofPlatform().name("simulation-" + i).daemon().start(this::work));
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            next.set(Long.MAX_VALUE);
            throw e;
        }
        Throwable thrown = broken.get();
        if (thrown != null) {
            throw new IllegalStateException("the simulation itself failed: " + thrown, thrown);
        }
        return result.build(minutes);
    }

    private void work() {
        try {
            for (long seed = next.getAndIncrement();
                    seed >= from && seed <= to && result.failures() < MOST_FAILURES;
                    seed = next.getAndIncrement()) {
                for (Mode mode : modes) {
                    result.add(Simulation.run(Schedule.of(seed, mode, minutes), flaws, false));
                }
                progress.accept(done.incrementAndGet());
            }
        } catch (RuntimeException | Error e) {
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
}
