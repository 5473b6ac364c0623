package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.classify.FailureClass;
import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ProvisioningState;
import java.util.Optional;

/** The sentences about a {@link Difference}. */
final class DifferenceTexts {

    private static final String NO_ACTION = "No action is needed.";

    private DifferenceTexts() {}

    static String text(Why why) {
        return switch (why) {
            case Why.Plain plain -> text(plain);
            case Why.OnHold hold -> HoldTexts.text(hold.held());
            case Why.LockHeld lock ->
                lock.holder()
                        .map(holder -> "The resource lock is held by %s.".formatted(holder.identity()))
                        .orElse("The resource lock is not available.");
            case Why.Parked parked ->
                parked.isUnsent()
                        ? "No request was sent: Azure is throttling, or the client-side rate limit is exhausted."
                        : lastFailure(parked.last()) + "; Azure asked to wait.";
            case Why.Retrying retrying -> lastFailure(Optional.of(retrying.last())) + ".";
            case Why.GaveUp gaveUp -> lastFailure(Optional.of(gaveUp.last())) + ".";
            case Why.NotCompared not -> notCompared(not);
        };
    }

    private static String text(Why.Plain why) {
        return switch (why) {
            case INCOMPLETE ->
                "The wanted set is not complete: an EndpointSlice or a node it references has not been seen yet."
                        + " Nothing is removed before.";
            case NOT_LEADING -> "This replica is not the leader.";
            case NOT_LISTED -> "The load balancers have not been listed since this replica became the leader.";
            case IN_PROGRESS -> "An update is in progress, or other pools of its load balancer are updated first.";
            case QUEUED -> "The pool waits for the next update of its load balancer.";
            case SHORT_OF_QUOTA ->
                "The remaining Azure quota is low: outages are written first, other pools one at a time.";
        };
    }

    private static String notCompared(Why.NotCompared why) {
        if (why.last().isPresent()) {
            return lastFailure(why.last()) + ".";
        }
        Optional<ProvisioningState> unsettled =
                why.provisioning().filter(state -> state != ProvisioningState.SUCCEEDED);
        if (unsettled.isPresent()) {
            return "The pool's provisioningState is %s, so its contents may not be in force."
                    .formatted(unsettled.get());
        }
        return why.isChangedByAnother()
                ? "The pool was changed by another writer."
                : "The pool differs from the wanted addresses, and no update is queued for it.";
    }

    private static String lastFailure(Optional<Failure> last) {
        return last.map(failure -> "The last attempt failed: " + failure.describe())
                .orElse("The last attempt failed");
    }

    static String remedy(Why why) {
        return switch (why) {
            case Why.Plain plain -> remedy(plain);
            case Why.OnHold hold -> HoldTexts.remedy(hold.held());
            case Why.LockHeld lock ->
                "It is requested until it is free; if its holder is gone, it becomes free when its Lease expires.";
            case Why.Parked parked ->
                "It is retried when the wait ends; if this persists, find out what else writes to the load"
                        + " balancer or uses the subscription's quota.";
            case Why.Retrying retrying -> "It is retried on the next update of its load balancer.";
            case Why.GaveUp gaveUp ->
                isLasting(gaveUp)
                        ? "End the cause; the next EndpointSlice event or comparison retries it."
                        : "The next EndpointSlice event or comparison retries it; restart or scale a backing pod to"
                                + " cause one.";
            case Why.NotCompared not ->
                not.last().isPresent()
                        ? "The next listing queues it if the pool exists by then; otherwise it waits for the pool."
                        : "The next comparison queues it; ensure that only one controller manages this pool.";
        };
    }

    /** Whether another attempt alone would end like the last one. */
    private static boolean isLasting(Why.GaveUp gaveUp) {
        Failure last = gaveUp.last();
        return FailureClass.of(last) == FailureClass.TERMINAL
                && (!(last instanceof Failure.HttpError error) || error.status() < 500);
    }

    private static String remedy(Why.Plain why) {
        return switch (why) {
            case INCOMPLETE ->
                "A node that stays missing is given up after a minute; compare the nodes in the Service's"
                        + " EndpointSlices with those of the cluster.";
            case NOT_LEADING -> "The leader updates the pool; its status shows what the pool waits for.";
            case NOT_LISTED ->
                "They are listed before anything is written; if that fails, the listing shows the cause.";
            case IN_PROGRESS, QUEUED -> NO_ACTION;
            case SHORT_OF_QUOTA ->
                "No action is needed; if this persists, find out what else uses the subscription's quota.";
        };
    }
}
