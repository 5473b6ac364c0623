package dev.poolkeeper.k8s.events;

import java.time.Duration;

/**
 * How events are written. The limits of the correlation are client-go's and not configurable.
 *
 * @param reportingInstance the name of this process, at most 128 characters
 * @param queueSize how many events may be queued; further events are dropped and counted
 * @param tries how often an event is sent before it is dropped
 * @param retryDelay the wait between two attempts
 */
public record EventSettings(String reportingInstance, int queueSize, int tries, Duration retryDelay) {

    /** The name of the reporter. */
    static final String CONTROLLER = "poolkeeper.dev/backend-pool-updater";

    private static final int LONGEST = 128;

    /** @throws IllegalArgumentException if a value is out of bounds */
    public EventSettings {
        if (reportingInstance.isBlank() || reportingInstance.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "reportingInstance must have 1 to 128 characters, got \"%s\"".formatted(reportingInstance));
        }
        if (queueSize < 1 || tries < 1 || !retryDelay.isPositive()) {
            throw new IllegalArgumentException("queueSize, tries and retryDelay must be greater than 0, got %s, %s, %s"
                    .formatted(queueSize, tries, retryDelay));
        }
    }

    /**
     * client-go's defaults: a queue of 1,000 events, 12 attempts 10 s apart.
     *
     * @param instance the name of this process, such as a pod's, which may be longer than Events allow; cut to 128
     *     characters
     */
    public static EventSettings of(String instance) {
        String reporting = instance.length() > LONGEST ? instance.substring(0, LONGEST) : instance;
        return new EventSettings(reporting, 1_000, 12, Duration.ofSeconds(10));
    }
}
