package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.merge.Plan;
import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ServiceEvent;
import java.time.Instant;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;

/** The messages of the events (design document, <em>Event Behavior</em>). */
final class EventMessages {

    /**
     * The text of an event.
     *
     * @param message with all details
     * @param note the same without correlation ids and times, so that equal failures have equal notes
     * @param cause what it says, as values
     */
    record Text(String message, String note, ServiceEvent.Cause cause) {

        static Text of(String text) {
            return new Text(text, text, new ServiceEvent.Cause.Plain());
        }
    }

    /** The pool already held the wanted addresses. */
    static final Text UPDATED = Text.of("Load balancer backend pool updated successfully");

    /** The pool held the wanted addresses, but not in force. */
    private static final Text WRITTEN_AGAIN = Text.of(UPDATED.message()
            + ": the same addresses were written again, because the last operation on the pool had failed.");

    /** Further addresses are only counted, because the API server accepts at most 1,024 bytes. */
    private static final int NAMED = 8;

    private final int maxRetries;
    private final Function<Instant, String> instantText;

    /** @param instantText formats an instant */
    EventMessages(int maxRetries, Function<Instant, String> instantText) {
        this.maxRetries = maxRetries;
        this.instantText = instantText;
    }

    /** Lists what the write added and removed. */
    static Text updated(Plan plan) {
        if (plan.isDone()) {
            return WRITTEN_AGAIN;
        }
        StringJoiner changes = new StringJoiner("; ", UPDATED.message() + ": ", ".");
        if (!plan.additions().isEmpty()) {
            changes.add("added " + AddressText.of(plan.additions(), NAMED));
        }
        if (!plan.removals().isEmpty()) {
            changes.add("removed " + AddressText.of(plan.removals(), NAMED));
        }
        return Text.of(changes.toString());
    }

    Text notRetriable(Failure failure, PendingOperation operation) {
        String format = "Backend pool update failed (non-retriable): %s.";
        return new Text(
                format.formatted(failure.describe()), format.formatted(failure.note()), last(failure, operation));
    }

    private ServiceEvent.Cause last(Failure failure, PendingOperation operation) {
        return new ServiceEvent.Cause.Attempt(operation.retryCount() + 1L, maxRetries + 1L, failure, Optional.empty());
    }

    Text exhausted(Failure failure, PendingOperation operation) {
        String format =
                "Backend pool update failed after %s retries: %s. To retrigger, cause an endpoint change for the"
                        + " Service (e.g., restart or scale a backing pod).";
        return new Text(
                format.formatted(operation.retryCount(), failure.describe()),
                format.formatted(operation.retryCount(), failure.note()),
                last(failure, operation));
    }

    /** @param operation as requeued: its {@code retryCount} is the number of the attempt that failed */
    Text retrying(Failure failure, PendingOperation operation) {
        Instant eligibleAt = operation.nextEligibleAt();
        String format = "Backend pool update failed (attempt %s of %s): %s. Retrying %s.";
        String next = "on the next update";
        return new Text(
                format.formatted(
                        operation.retryCount(),
                        maxRetries + 1L,
                        failure.describe(),
                        eligibleAt == null ? next : "not before " + instantText.apply(eligibleAt)),
                format.formatted(
                        operation.retryCount(),
                        maxRetries + 1L,
                        failure.note(),
                        eligibleAt == null ? next : "when throttling by Azure ends"),
                new ServiceEvent.Cause.Attempt(
                        operation.retryCount(), maxRetries + 1L, failure, Optional.ofNullable(eligibleAt)));
    }
}
