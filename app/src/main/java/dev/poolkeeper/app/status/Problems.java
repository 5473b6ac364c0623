package dev.poolkeeper.app.status;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds problems that need attention: general ones first, then pools, those in outage before the others. */
final class Problems {

    /** Reasons that resolve themselves soon. */
    private static final Set<Difference.Reason> PASSING =
            EnumSet.of(Difference.Reason.QUEUED, Difference.Reason.IN_PROGRESS, Difference.Reason.NOT_LEADING);

    private final DaemonStatus status;
    private final Times times;
    private final List<Problem> problems = new ArrayList<>();

    Problems(DaemonStatus status, Times times) {
        this.status = status;
        this.times = times;
    }

    /** All. */
    List<Problem> list() {
        ofTheWhole();
        pools();
        return problems;
    }

    /** The problems that affect more than one pool. */
    List<Problem> ofTheWhole() {
        cluster();
        azure(status.engine());
        configuration();
        policies();
        return problems;
    }

    private void cluster() {
        if (status.isCutOff()) {
            add(
                    "No watch on the API server is open",
                    "Changes in the cluster go unnoticed." + watchError(),
                    "Fix the error; the watches are reopened automatically, and a replica that was ready"
                            + " stays ready.");
        }
        status.missingPermissions()
                .forEach(missing -> add(
                        missing.where() + ": " + missing.permission(),
                        "This permission is missing.",
                        missing.remedy()));
        status.cluster()
                .resourceLock()
                .error()
                .ifPresent(error -> add(
                        "The resource lock is inaccessible",
                        error,
                        "Nothing is written until it is accessible; grant access to its Lease if that is missing."));
    }

    /** The error of one watch: if the API server is unavailable they all fail alike. */
    private String watchError() {
        return status.cluster().watches().stream()
                .flatMap(watch -> watch.lastError().stream())
                .findFirst()
                .map(error -> " The last error: " + error + ".")
                .orElse("");
    }

    private void azure(EngineStatus engine) {
        engine.listing()
                .failure()
                .ifPresent(failure -> add(
                        "Listing failed",
                        failure.describe(),
                        "The next listing is " + times.of(engine.listing().next()) + "."));
        engine.holds()
                .braked()
                .forEach(removal -> problems.add(new Problem(
                        "The safety brake holds a removal",
                        HoldTexts.text(removal.loss()),
                        "Since %s. Until %s.".formatted(times.of(removal.since()), times.of(removal.until())),
                        "Set safetyBrake.agreed to %s to let it through.".formatted(removal.id()))));
        engine.holds()
                .forbidden()
                .forEach(forbidden -> add(
                        "Access to pools of load balancer " + forbidden.loadBalancer() + " is denied",
                        forbidden.answer(),
                        "Grant access; the next attempt is " + times.of(forbidden.until()) + "."));
        engine.listing().ambiguous().forEach(this::ambiguous);
        engine.listing().clashes().forEach(this::clash);
    }

    private void ambiguous(AmbiguousPool ambiguous) {
        String maintained = ambiguous
                .maintained()
                .map(place -> " The one on " + place.loadBalancer() + " is maintained, as before.")
                .orElse(" None is written.");
        add(
                "Service " + ambiguous.service(),
                "Several load balancers have a pool %s: %s.".formatted(ambiguous.pool(), ambiguous.places())
                        + maintained,
                HoldTexts.remedy(new HoldCause.Ambiguous(ambiguous)));
    }

    private void clash(FamilyClash clash) {
        add(
                "Service " + clash.service(),
                "Its %s family is not served: the older Service %s uses the pool %s for the other one."
                        .formatted(clash.family().text(), clash.served(), clash.pool()),
                HoldTexts.remedy(new HoldCause.FamilyTaken(clash)));
    }

    private void configuration() {
        if (status.engine().holds().paused()) {
            HoldCause paused = new HoldCause.Paused();
            add("Paused", HoldTexts.text(paused), HoldTexts.remedy(paused));
        }
        status.settings()
                .faults()
                .forEach(fault -> add(
                        "The configuration is invalid",
                        fault.toString(),
                        "The last valid settings stay in force; correct the file."));
    }

    private void policies() {
        status.policies().objects().stream()
                .filter(policy -> !policy.accepted())
                .forEach(policy -> add(
                        policy.object() + ": " + policy.reason(),
                        policy.message(),
                        "Retries are configured by " + status.policies().retriesFrom() + ", their budget by "
                                + status.policies().budgetFrom() + "; correct or delete the object."));
    }

    private void pools() {
        status.engine().pools().stream()
                .filter(pool -> pool.isOutage() || isLasting(pool) && !isBraked(pool))
                .sorted(Comparator.comparing(PoolStatus::isOutage).reversed())
                .forEach(pool -> pool.difference()
                        .ifPresent(difference -> problems.add(Problem.of(title(pool), difference, times))));
    }

    private static boolean isLasting(PoolStatus pool) {
        return pool.difference()
                .filter(difference -> !PASSING.contains(difference.reason()))
                .isPresent();
    }

    /** A removal held by the safety brake is reported once for all pools. */
    private boolean isBraked(PoolStatus pool) {
        return status.engine().holds().braked().stream()
                .anyMatch(removal -> pool.difference()
                        .flatMap(Difference::heldRemoval)
                        .filter(removal.id()::equals)
                        .isPresent());
    }

    private static String title(PoolStatus pool) {
        String services = pool.services().stream().map(ServiceName::toString).collect(Collectors.joining(", "));
        return "%s: %s (pool %s on %s)"
                .formatted(
                        services,
                        PoolSummary.state(pool),
                        pool.pool().pool(),
                        pool.pool().loadBalancer());
    }

    private void add(String title, String text, String remedy) {
        problems.add(new Problem(title, text, "", remedy));
    }
}
