package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.time.Timeline;

/** A condition that must always hold. Observes what happens; reports violations. */
public abstract class Invariant {

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

    protected static String nameOf(Fact.CallBegins call) {
        return call instanceof Fact.Writes ? "write" : "read";
    }

    /** Whether a call found no pool. */
    protected static boolean isGone(Reply<BackendPool> reply) {
        return reply instanceof Reply.Failed<BackendPool>(Failure.NotFound none);
    }

    protected final void violated(String story, Object... arguments) {
        scene.violated(this, story.formatted(arguments));
    }

    /** Called after every event, when every thread waits. */
    public void afterEvent() {}

    void observe(Observation observed) {}
}
