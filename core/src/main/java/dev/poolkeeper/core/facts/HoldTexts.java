package dev.poolkeeper.core.facts;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.util.stream.Collectors;

/** The sentences for people about what is held. */
public final class HoldTexts {

    private HoldTexts() {}

    /** One sentence that states what is held and why. */
    public static String text(HoldCause because) {
        return switch (because) {
            case HoldCause.Paused paused -> "All writes are paused by the configuration.";
            case HoldCause.ServicePaused paused ->
                "Service %s is paused by its annotation.".formatted(paused.service());
            case HoldCause.Forbidden forbidden ->
                "Backend pool update held back: access to pool %s is denied (%s)."
                        .formatted(forbidden.pool(), forbidden.answer().note());
            case HoldCause.ChangedBack back ->
                "Backend pool was changed back by another writer %s times and is written less often."
                        .formatted(back.times());
            case HoldCause.OthersMissing missing ->
                "The pool is shared, and another Service's addresses have not been added yet.";
            case HoldCause.Braked braked -> text(braked.loss());
            case HoldCause.Wave wave ->
                "Removals are delayed briefly: more than a tenth of all addresses would leave the load"
                        + " balancers, and more may follow.";
            case HoldCause.OverBudget over -> "Backend pool update held back: the retry budget is exhausted.";
            case HoldCause.Ambiguous(AmbiguousPool pool) -> text(pool);
            case HoldCause.FamilyTaken(FamilyClash clash) ->
                "Backend pool %s does not serve the Service's %s family: the older Service %s uses it for the other one."
                        .formatted(clash.pool().pool(), clash.family().text(), clash.served());
        };
    }

    /** One sentence that states why the safety brake holds a removal. */
    public static String text(Loss loss) {
        return "Removal held back by the safety brake: "
                + switch (loss) {
                    case Loss.Everything(long removed, long all) ->
                        "no address is wanted in any pool; it would remove %s of %s addresses.".formatted(removed, all);
                    case Loss.TooMuch it ->
                        "%s would lose %s of %s addresses within %s, %s of them by this removal; more than %s %% may not."
                                .formatted(
                                        it.namespace()
                                                .map(name -> "the pools of namespace " + name)
                                                .orElse("the load balancers"),
                                        it.lost(),
                                        it.all(),
                                        inWords(it.window()),
                                        it.byThis(),
                                        it.percent());
                };
    }

    private static String text(AmbiguousPool pool) {
        String places = pool.places().stream().map(PoolKey::toString).collect(Collectors.joining(", "));
        String what = pool.maintained()
                .map(place -> "is written on load balancer " + place.loadBalancer() + " only, as before")
                .orElse("is not written");
        return "Backend pool %s %s: several load balancers have a pool of that name (%s)."
                .formatted(pool.pool(), what, places);
    }

    /** One sentence that states what ends the hold, or what to do to end it. */
    public static String remedy(HoldCause because) {
        return switch (because) {
            case HoldCause.Paused paused -> "Set paused to false to resume.";
            case HoldCause.ServicePaused paused -> "Remove the annotation poolkeeper.dev/paused to resume.";
            case HoldCause.Forbidden forbidden ->
                "Grant Poolkeeper's identity permission to read and write its backend address pools.";
            case HoldCause.ChangedBack back -> "Ensure that only one controller manages this pool.";
            case HoldCause.OthersMissing missing -> "This Service's addresses are removed once those have been added.";
            case HoldCause.Braked braked ->
                "Set safetyBrake.agreed to %s to let it through before its hold of %s ends."
                        .formatted(braked.removal(), inWords(braked.hold()));
            case HoldCause.Wave wave -> "It continues automatically.";
            case HoldCause.OverBudget over -> "It is retried when the budget allows it.";
            case HoldCause.Ambiguous ambiguous ->
                "Remove all but one, or configure which load balancers belong to this cluster.";
            case HoldCause.FamilyTaken taken ->
                "Rename one of the Services: ARM refuses a pool with addresses of both families.";
        };
    }

    /** Both sentences. */
    public static String message(HoldCause because) {
        return text(because) + " " + remedy(because);
    }

    /** What a Service is told. It is told of a pause only if Services share the pool. */
    static String event(HoldCause because) {
        String shared = because instanceof HoldCause.ServicePaused
                ? " It shares this pool: its changes wait, and what it wanted before stays."
                : "";
        return text(because) + shared + " " + remedy(because);
    }

    private static String inWords(Duration duration) {
        boolean isInMinutes = duration.toSeconds() % 60 == 0;
        return isInMinutes ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
    }
}
