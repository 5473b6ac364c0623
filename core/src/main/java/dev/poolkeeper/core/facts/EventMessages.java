package dev.poolkeeper.core.facts;

import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ServiceEvent;
import java.time.Instant;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Function;

/** The messages of the events (design document, <em>Event Behavior</em>). */
public final class EventMessages {

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
    private static final Text UPDATED = Text.of("Load balancer backend pool updated successfully");

    /** The pool held the wanted addresses, but not in force. */
    private static final Text WRITTEN_AGAIN = Text.of(UPDATED.message()
            + ": the same addresses were written again, because the last operation on the pool had failed.");

    /** Further addresses are only counted, because the API server accepts at most 1,024 bytes. */
    private static final int NAMED = 8;

    private final Function<Instant, String> instantText;

    /** @param instantText formats an instant */
    public EventMessages(Function<Instant, String> instantText) {
        this.instantText = instantText;
    }

    /**
     * Lists what the write added and removed.
     *
     * @param plan empty if nothing had to be written
     */
    static Text updated(Optional<Plan> plan) {
        return plan.map(EventMessages::written).orElse(UPDATED);
    }

    private static Text written(Plan plan) {
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

    static Text gaveUp(Fact.GaveUp failed, Fact.Tried tried) {
        Failure failure = failed.failure();
        String format = failed.isExhausted()
                ? "Backend pool update failed after %s retries: %%s. To retrigger, cause an endpoint change for the"
                                .formatted(tried.number() - 1)
                        + " Service (e.g., restart or scale a backing pod)."
                : "Backend pool update failed (non-retriable): %s.";
        return new Text(
                format.formatted(failure.describe()),
                format.formatted(failure.note()),
                new ServiceEvent.Cause.Attempt(tried.number(), failed.bound(), failure, Optional.empty()));
    }

    Text retrying(Fact.Retrying failed, Fact.Tried tried) {
        Failure failure = failed.failure();
        String format = "Backend pool update failed (attempt %s of %s): %s. Retrying %s.";
        String next = "on the next update";
        return new Text(
                format.formatted(
                        tried.number(),
                        failed.bound(),
                        failure.describe(),
                        tried.notBefore()
                                .map(at -> "not before " + instantText.apply(at))
                                .orElse(next)),
                format.formatted(
                        tried.number(),
                        failed.bound(),
                        failure.note(),
                        tried.notBefore()
                                .map(at -> "when throttling by Azure ends")
                                .orElse(next)),
                new ServiceEvent.Cause.Attempt(tried.number(), failed.bound(), failure, tried.notBefore()));
    }

    static Text held(Held because) {
        return new Text(because.message(), because.message(), because.cause());
    }
}
