package dev.poolkeeper.ports;

import java.util.concurrent.CompletableFuture;

/** Writes the readiness gate's condition into the status of Pods. */
public interface PodConditions {

    /**
     * Sets the condition of exactly this Pod and changes nothing else. A condition that is met is final, and set in
     * whatever version the Pod is; one that is not met is set only in the given version, so that an old view of the Pod
     * never overwrites a newer decision. Returns at once. Thread-safe.
     *
     * @return the result, which is there in the end whatever the API server does, and is never an exception
     */
    CompletableFuture<Result> set(PodState pod, ReadinessCondition condition);

    /** The result of a request. */
    sealed interface Result {}

    /** The condition is set. */
    record Written() implements Result {}

    /**
     * The Pod was deleted, replaced by another of the same name, or changed in the meantime. It is checked again later.
     *
     * @param why one line for a log
     */
    record Outdated(String why) implements Result {}

    /**
     * The API server refused the request. Requests for other Pods may well succeed.
     *
     * @param why one line for a log
     */
    record Refused(String why) implements Result {}

    /**
     * The API server did not answer. Requests for other Pods would most likely fail, too.
     *
     * @param why one line for a log
     */
    record Unanswered(String why) implements Result {}
}
