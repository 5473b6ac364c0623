package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.ports.Failure;
import java.time.Instant;

/** The messages of the events (design document, <em>Event Behavior</em>). */
final class EventMessages {

    static final String UPDATED = "Load balancer backend pool updated successfully";

    private final UpdaterSettings settings;

    EventMessages(UpdaterSettings settings) {
        this.settings = settings;
    }

    String notRetriable(Failure failure) {
        return "Backend pool update failed (non-retriable): " + failure.describe() + ".";
    }

    String exhausted(Failure failure, PendingOperation operation) {
        return ("Backend pool update failed after %d retries: %s. To retrigger, cause an endpoint change for the"
                        + " Service (e.g., restart or scale a backing pod).")
                .formatted(operation.retryCount(), failure.describe());
    }

    /** @param operation as requeued: its {@code retryCount} is the number of the attempt that failed */
    String retrying(Failure failure, PendingOperation operation) {
        Instant eligibleAt = operation.nextEligibleAt();
        return "Backend pool update failed (attempt %d of %d): %s. Retrying %s."
                .formatted(
                        operation.retryCount(),
                        settings.maxRetries() + 1L,
                        failure.describe(),
                        eligibleAt == null
                                ? "on the next update"
                                : "not before " + settings.instantText().apply(eligibleAt));
    }
}
