package dev.poolkeeper.simulation.time;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A process: threads and timers on virtual time, and an end. Paused, none of its threads runs and nothing reaches it
 * until it goes on; then everything that came due meanwhile happens, in order. Killed, its threads never run again, as
 * after {@code kill -9}: not even to clean up.
 *
 * <p>Threads that were killed stay parked; {@link VirtualThreads} sees to it that the JVM lets go of them.
 */
public final class VirtualProcess {

    private final Timeline timeline;
    private final Consumer<Throwable> failed;
    private final Thread.Builder.OfVirtual threads;
    private final List<Runnable> held = new ArrayList<>();
    private final Set<Runnable> onEnd = new LinkedHashSet<>();
    private boolean alive = true;
    private boolean paused;

    /** @param failed called with what a thread of the process ended with, if that was an exception */
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
            timeline.resume(continuation);
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

    /** A thread of this process, not started yet. */
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

    /** Something that reaches the process later, once it runs; never if it is killed before. It must not block. */
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

    /** What the rest of the world notices when the process ends: its connections break. */
    public void onEnd(Runnable action) {
        onEnd.add(action);
    }

    /** Ends the process; again without effect. */
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

    /** A thread of the process ended with an exception that its own code has caught. */
    public void failed(Throwable thrown) {
        if (alive) {
            failed.accept(thrown);
        }
    }
}
