package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.cluster.LockHistory;
import dev.poolkeeper.simulation.daemon.Witness;
import dev.poolkeeper.simulation.time.Timeline;
import org.jspecify.annotations.Nullable;

/** A condition that must always hold. Is notified of everything that happens; reports violations. */
public abstract class Invariant implements Witness {

    private final String name;
    private final String promise;
    private final Scene scene;

    /**
     * @param name a short name with its letter and number
     * @param promise the condition, in one sentence
     */
    protected Invariant(String name, String promise, Scene scene) {
        this.name = name;
        this.promise = promise;
        this.scene = scene;
    }

    public final String name() {
        return name;
    }

    public final String promise() {
        return promise;
    }

    /** Whether the condition applies to daemons with this update model. */
    public boolean isAskedOf(UpdateModel model) {
        return true;
    }

    protected final Scene scene() {
        return scene;
    }

    protected final long now() {
        return scene.timeline().now();
    }

    protected static String seconds(long nanos) {
        return "%.3f s".formatted(nanos / (double) Timeline.SECONDS);
    }

    protected final void violated(String story, Object... arguments) {
        scene.violated(this, story.formatted(arguments));
    }

    /** Called after every event, when every thread waits. */
    public void afterEvent() {}

    /** A daemon logged a line. */
    public void logged(String line) {}

    /** The API server accepted a holder of the resource lock. */
    public void lockTaken(LockHistory.@Nullable Hold before, LockHistory.Hold now) {}

    /** A daemon released the resource lock, and left this duration in its Lease; 0 for none. */
    public void lockReleased(LockHistory.Hold hold, int seconds) {}

    /** The content of a pool changed. */
    public void written(PoolImage before, PoolImage after, String writer) {}
}
