package dev.poolkeeper.simulation.time;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A process with threads and timers on virtual time. While it is paused, none of its threads runs and nothing reaches
 * it; after resuming, everything that became due meanwhile happens in order. After it is killed, its threads never run
 * again, as after {@code kill -9}: not even for clean-up.
 *
 * <p>Threads of a killed process stay parked; {@link VirtualThreads} ensures that the JVM releases them.
 */
public final class VirtualProcess {

    private final Timeline timeline;
    private final Consumer<Throwable> failed;
    private final Thread.Builder.OfVirtual threads;
    private final List<Runnable> held = new ArrayList<>();
    private final Set<Runnable> onEnd = new LinkedHashSet<>();
    private boolean alive = true;
    private boolean paused;

    /** @param failed called with an uncaught exception of a thread of the process */
    public VirtualProcess(Timeline timeline, Consumer<Throwable> failed) {
        this.timeline = timeline;
        this.failed = failed;
        this.threads = VirtualThreads.on(this::resume)
                .inheritInheritableThreadLocals(false)
                .uncaughtExceptionHandler((thread, thrown) -> failed.accept(thrown));
    }

    private void resume(Runnable continuation) {
        if (paused) {
            held.add(() -> resume(continuation));
        } else if (alive) {
            timeline.resume(() -> {
                if (alive) { // it may be killed in the same moment
                    continuation.run();
                }
            });
        }
    }

    public Timeline timeline() {
        return timeline;
    }

    public boolean isAlive() {
        return alive;
    }

    public boolean isPaused() {
        return paused;
    }

    /** Creates a thread of this process without starting it. */
    public Thread unstarted(String name, Runnable task) {
        return threads.name(name).unstarted(task);
    }

    /** Starts a thread, unless the process has ended. */
    public void start(Runnable task) {
        if (alive) {
            unstarted("", task).start();
        }
    }

    /** Starts a thread later. */
    public Timeline.Event startAfter(long nanos, Runnable task) {
        return after(nanos, () -> start(task));
    }

    /** An action that affects the process later, once it runs; never if it is killed before. It must not block. */
    public Timeline.Event after(long nanos, Runnable action) {
        return timeline.after(nanos, () -> reach(action));
    }

    private void reach(Runnable action) {
        if (paused) {
            held.add(() -> reach(action));
        } else if (alive) {
            action.run();
        }
    }

    /** Called when the process ends, to notify the rest of the world: its connections break. */
    public void onEnd(Runnable action) {
        onEnd.add(action);
    }

    /** Ends the process; no effect if it has ended. */
    public void kill() {
        if (alive) {
            alive = false;
            held.clear();
            onEnd.forEach(Runnable::run);
        }
    }

    public void pause() {
        paused = true;
    }

    public void goOn() {
        paused = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(Runnable::run);
    }

    /** A thread of the process ended with an exception that its own code caught. */
    public void failed(Throwable thrown) {
        if (alive) {
            failed.accept(thrown);
        }
    }
}
