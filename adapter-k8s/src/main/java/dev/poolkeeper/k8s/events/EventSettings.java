package dev.poolkeeper.k8s.events;

import java.time.Duration;

/**
 * How events are written. The numbers of the correlation are client-go's and fixed.
 *
 * @param reportingController the qualified name of who reports, such as {@code poolkeeper.dev/backend-pool-updater}
 * @param reportingInstance the name of this process, at most 128 characters
 * @param queueSize how many events may wait; what comes beyond is dropped and counted
 * @param tries how often an event is sent before it is given up
 * @param retryDelay how long to wait in between
 */
public record EventSettings(
        String reportingController, String reportingInstance, int queueSize, int tries, Duration retryDelay) {

    /** The default controller. */
    public static final String CONTROLLER = "poolkeeper.dev/backend-pool-updater";

    private static final int LONGEST = 128;

    /** @throws IllegalArgumentException if a value is out of its bounds */
    public EventSettings {
        if (reportingController.isBlank() || reportingController.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "reportingController must have 1 to 128 characters, got \"%s\"".formatted(reportingController));
        }
        if (reportingInstance.isBlank() || reportingInstance.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "reportingInstance must have 1 to 128 characters, got \"%s\"".formatted(reportingInstance));
        }
        if (queueSize < 1 || tries < 1 || !retryDelay.isPositive()) {
            throw new IllegalArgumentException("queueSize, tries and retryDelay must be greater than 0, got %d, %d, %s"
                    .formatted(queueSize, tries, retryDelay));
        }
    }

    /** client-go's numbers: 1,000 waiting, 12 tries 10 s apart. */
    public static EventSettings of(String reportingInstance) {
        return new EventSettings(CONTROLLER, reportingInstance, 1_000, 12, Duration.ofSeconds(10));
    }
}
