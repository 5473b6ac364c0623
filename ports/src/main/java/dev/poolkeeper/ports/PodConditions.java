package dev.poolkeeper.ports;

/** Writes the readiness gate's condition into the status of Pods. */
public interface PodConditions {

    /**
     * Sets the condition of this very Pod, and changes nothing else of it. Blocks for one request. Never throws on
     * trouble with the API server. Thread-safe.
     */
    Result set(PodId pod, ReadinessCondition condition);

    /** What became of a request. */
    sealed interface Result {}

    /** The condition is set. */
    record Written() implements Result {}

    /**
     * The Pod is gone, is another one of that name by now, or changed meanwhile. A later look shows what it is now.
     *
     * @param why one line for a log
     */
    record Outdated(String why) implements Result {}

    /**
     * The API server cannot be reached, or refuses. What holds for this Pod most likely holds for all.
     *
     * @param why one line for a log
     */
    record Refused(String why) implements Result {}
}
