package dev.poolkeeper.simulation.time;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A process: threads that block on virtual time, timers, and an end. Killed, it does nothing any more: whoever asks it
 * for something gets {@link ProcessDied}. Paused, it does nothing until it goes on, then everything that came due
 * meanwhile, in order.
 */
public final class SimulatedProcess {

    private static final class Wait {
        private final Thread thread = Thread.currentThread();
        private boolean over;
    }

    private final Timeline timeline;
    private final Consumer<Throwable> failed;
    private final Set<Wait> waits = new LinkedHashSet<>();
    private final List<Runnable> held = new ArrayList<>();
    private boolean alive = true;
    private boolean paused;

    /** @param failed hears what a thread of the process died of */
    public SimulatedProcess(Timeline timeline, Consumer<Throwable> failed) {
        this.timeline = timeline;
        this.failed = failed;
    }

    public boolean isAlive() {
        return alive;
    }

    public boolean isPaused() {
        return paused;
    }

    /** @throws ProcessDied if it is killed */
    public void requireAlive() {
        if (!alive) {
            throw new ProcessDied();
        }
    }

    /** Starts a thread. */
    public void start(Runnable task) {
        if (alive) {
            timeline.start(() -> {
                try {
                    requireAlive();
                    task.run();
                } catch (ProcessDied e) {
                    // as it must be
                } catch (RuntimeException | Error e) {
                    if (alive) {
                        failed.accept(e);
                    }
                }
            });
        }
    }

    /** Starts a thread later. */
    public Timeline.Event startAfter(long nanos, Runnable task) {
        return after(nanos, () -> start(task));
    }

    /** Something that reaches the process later, once it runs; never if it is killed before. */
    public Timeline.Event after(long nanos, Runnable action) {
        return timeline.after(nanos, () -> reach(action));
    }

    private void reach(Runnable action) {
        if (paused) {
            held.add(action);
        } else if (alive) {
            action.run();
        }
    }

    /**
     * Blocks the calling thread, which is one of the process.
     *
     * @return false if it was interrupted, which it then still is
     */
    public boolean sleep(long nanos) {
        requireAlive();
        Wait wait = new Wait();
        waits.add(wait);
        Timeline.Event wake = after(nanos, () -> {
            wait.over = true;
            LockSupport.unpark(wait.thread);
        });
        try {
            while (!wait.over && alive && !Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
        } finally {
            wake.cancel();
            waits.remove(wait);
        }
        requireAlive();
        return wait.over;
    }

    public void kill() {
        alive = false;
        held.clear();
        List.copyOf(waits).forEach(wait -> LockSupport.unpark(wait.thread));
    }

    public void pause() {
        paused = true;
    }

    public void resume() {
        paused = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(this::reach);
    }
}
