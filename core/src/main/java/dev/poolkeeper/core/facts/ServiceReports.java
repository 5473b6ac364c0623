package dev.poolkeeper.core.facts;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Cause;
import dev.poolkeeper.ports.ServiceEvent.Reason;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Tells each Service what happened to its pools: one event for each fact and Service (design document, <em>Event
 * Behavior</em>).
 */
public final class ServiceReports implements Consumer<Fact> {

    private static final String UPDATED = "Load balancer backend pool updated successfully";

    /** Further addresses are only counted, because the API server accepts at most 1,024 bytes. */
    private static final int NAMED = 8;

    private final ServiceEvents events;
    private final Function<Instant, String> instantText;

    /**
     * @param events receives the events
     * @param instantText formats an instant
     */
    public ServiceReports(ServiceEvents events, Function<Instant, String> instantText) {
        this.events = events;
        this.instantText = instantText;
    }

    @Override
    public void accept(Fact fact) {
        switch (fact) {
            case Fact.Updated done -> {
                String text = done.plan().map(ServiceReports::written).orElse(UPDATED);
                done.services().forEach(service -> emit(done.pool(), service, Reason.UPDATED, text, new Cause.Plain()));
            }
            case Fact.Retrying failed -> firstOfEach(failed.tried(), tried -> retrying(failed, tried));
            case Fact.GaveUp failed -> firstOfEach(failed.tried(), tried -> gaveUp(failed, tried));
            case Fact.HoldReported held ->
                emit(held.pool(), held.service(), Reason.HELD, HoldTexts.event(held.because()), cause(held.because()));
            default -> {}
        }
    }

    private static Cause cause(HoldCause because) {
        Optional<String> removal =
                because instanceof HoldCause.Braked braked ? Optional.of(braked.removal()) : Optional.empty();
        int changedBack = because instanceof HoldCause.ChangedBack back ? back.times() : 0;
        return new Cause.Hold(because.by().name(), because.until(), removal, changedBack);
    }

    private void emit(PoolKey pool, ServiceName service, Reason reason, String text, Cause cause) {
        events.emit(new ServiceEvent(service, pool, reason, text, text, cause));
    }

    /** One event for each Service, about the first of its operations. */
    private void firstOfEach(List<Fact.Tried> tried, Function<Fact.Tried, ServiceEvent> event) {
        Set<ServiceName> told = new HashSet<>();
        tried.stream().filter(one -> told.add(one.service())).map(event).forEach(events::emit);
    }

    /** Lists what the write added and removed. */
    private static String written(Plan plan) {
        if (plan.isDone()) { // the pool held the wanted addresses, but not in force
            return UPDATED
                    + ": the same addresses were written again, because the last operation on the pool had failed.";
        }
        StringJoiner changes = new StringJoiner("; ", UPDATED + ": ", ".");
        if (!plan.additions().isEmpty()) {
            changes.add("added " + AddressText.of(plan.additions(), NAMED));
        }
        if (!plan.removals().isEmpty()) {
            changes.add("removed " + AddressText.of(plan.removals(), NAMED));
        }
        return changes.toString();
    }

    private static ServiceEvent gaveUp(Fact.GaveUp failed, Fact.Tried tried) {
        Failure failure = failed.failure();
        String format = failed.isExhausted()
                ? "Backend pool update failed after %s retries: %%s. To retrigger, cause an endpoint change for the"
                                .formatted(tried.number() - 1)
                        + " Service (e.g., restart or scale a backing pod)."
                : "Backend pool update failed (non-retriable): %s.";
        return new ServiceEvent(
                tried.service(),
                failed.pool(),
                Reason.FAILED,
                format.formatted(failure.describe()),
                format.formatted(failure.note()),
                new Cause.Attempt(tried.number(), failed.bound(), failure, Optional.empty()));
    }

    private ServiceEvent retrying(Fact.Retrying failed, Fact.Tried tried) {
        Failure failure = failed.failure();
        String format = "Backend pool update failed (attempt %s of %s): %%s. Retrying %%s."
                .formatted(tried.number(), failed.bound());
        String next = "on the next update";
        return new ServiceEvent(
                tried.service(),
                failed.pool(),
                Reason.RETRYING,
                format.formatted(
                        failure.describe(),
                        tried.notBefore()
                                .map(at -> "not before " + instantText.apply(at))
                                .orElse(next)),
                format.formatted(
                        failure.note(),
                        tried.notBefore()
                                .map(at -> "when throttling by Azure ends")
                                .orElse(next)),
                new Cause.Attempt(tried.number(), failed.bound(), failure, tried.notBefore()));
    }
}
