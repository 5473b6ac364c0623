package dev.poolkeeper.app.status;

import dev.poolkeeper.app.status.PageModel.Figure;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.QuotaStatus;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.readiness.ReadinessStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.policies.PolicyWords;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.policies.PolicyWatcher.KindStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Computes the figures of the status page. */
final class Figures {

    /** The threshold of the alert. */
    private static final Duration LONG_WAIT = Duration.ofMinutes(5);

    private final DaemonStatus status;
    private final Times times;
    private final List<Figure> figures = new ArrayList<>();

    Figures(DaemonStatus status, Times times) {
        this.status = status;
        this.times = times;
    }

    /** The role of this replica, in a few words. */
    String role() {
        DaemonStatus.Election election = status.cluster().election();
        return (election.leading() ? "This replica leads" : "This replica is on standby")
                + (status.settings().dryRun() ? "; dry run: writes are disabled" : "");
    }

    /** The figures for everyone. */
    List<Figure> small() {
        figures.clear();
        leader();
        lock(status.cluster().resourceLock());
        budget(status.azure().retryBudget());
        gates(status.azure().gates());
        quota(status.azure().quota());
        watches(status.cluster().watches());
        outages(status.engine());
        freshness(status.engine().freshness());
        status.readinessGate().ifPresent(this::readinessGate);
        EngineStatus.Work work = status.engine().work();
        add("Operations waiting", Integer.toString(work.operations()));
        add(
                "Pools parked",
                work.parkedPools()
                        + times.of(work.nextEligibleAt()).map(at -> ", " + at).orElse(""));
        return List.copyOf(figures);
    }

    private void outages(EngineStatus engine) {
        if (engine.leading()) {
            figures.add(new Figure("Pools in outage", Long.toString(engine.outages()), engine.outages() > 0));
        } else {
            add("Pools in outage", "unknown on standby");
        }
    }

    private void leader() {
        DaemonStatus.Election election = status.cluster().election();
        add("Leader", election.enabled() ? election.leader().orElse("unknown") : "no election");
    }

    private void lock(ResourceLockStatus lock) {
        String holder = lock.holder().orElse("unknown");
        String expires = times.of(lock.holding().map(ResourceLockStatus.Holding::expires))
                .map(at -> ", expires " + at)
                .orElse("");
        figures.add(new Figure(
                "Resource lock holder", (lock.held() ? "this replica" : holder) + expires, lock.isHeldByAnother()));
    }

    private void budget(RetryModel.BudgetStatus budget) {
        OptionalLong balance = budget.balance();
        figures.add(new Figure(
                "Retries available in the budget",
                balance.isPresent() ? Long.toString(balance.getAsLong()) : "no limit",
                balance.isPresent() && balance.getAsLong() == 0));
    }

    private void gates(GateStatus gates) {
        gate("Reads throttled until", Optional.ofNullable(gates.readsShutUntil()));
        gate("Writes throttled until", Optional.ofNullable(gates.writesShutUntil()));
        gates.busyUntil().forEach((loadBalancer, until) -> gate("Busy: " + loadBalancer, Optional.of(until)));
    }

    private void quota(QuotaStatus quota) {
        String left = "writes %s, reads %s".formatted(orUnknown(quota.writes()), orUnknown(quota.reads()));
        String effect = switch (quota.level()) {
            case AMPLE -> "";
            case SCARCE -> "; writing outages first, the rest one at a time";
            case LAST -> "; writing only outages, one at a time";
            case NONE -> "; writing nothing";
        };
        figures.add(new Figure("Remaining Azure quota", left + effect, !effect.isEmpty()));
    }

    private static String orUnknown(Optional<Long> remaining) {
        return remaining.map(number -> Long.toString(number)).orElse("unknown");
    }

    private void gate(String name, Optional<Instant> until) {
        figures.add(new Figure(name, times.of(until, "not throttled"), until.isPresent()));
    }

    private void watches(List<WatchStatus> watches) {
        long open = watches.stream().filter(WatchStatus::watching).count();
        figures.add(new Figure("Watches open", open + " of " + watches.size(), open < watches.size()));
    }

    private void freshness(Freshness.Snapshot freshness) {
        add("Oldest unwritten change", times.of(freshness.oldestChange(), "none"));
        add("Outage time, summed over pools", seconds(freshness.outage()));
        add("Missing time, summed over addresses", seconds(freshness.missingAddressTime()));
        add("Stale time, summed over addresses", seconds(freshness.staleAddressTime()));
    }

    /** Bad if Pods wait for minutes, or their condition cannot be set. */
    private void readinessGate(ReadinessStatus gate) {
        int waiting = gate.undecided()
                + gate.waiting().values().stream().mapToInt(Integer::intValue).sum();
        List<String> reasons = new ArrayList<>();
        gate.waiting().forEach((reason, count) -> {
            if (count > 0) {
                reasons.add(count + " " + reason.word());
            }
        });
        Collections.sort(reasons);
        if (gate.undecided() > 0) {
            reasons.add(gate.undecided() + " without a condition yet");
        }
        if (gate.unwritable() > 0) {
            reasons.add(gate.unwritable() + " whose condition cannot be set");
        }
        figures.add(new Figure(
                "Pods waiting for their readiness gate",
                waiting == 0
                        ? "none"
                        : "%s (%s), longest %s"
                                .formatted(waiting, String.join(", ", reasons), seconds(gate.longestWait())),
                gate.unwritable() > 0 || gate.longestWait().compareTo(LONG_WAIT) > 0));
    }

    private static String seconds(Duration duration) {
        return duration.toSeconds() + " s";
    }

    /** The figures for those who know the internals. */
    List<Figure> internals() {
        figures.clear();
        EngineStatus engine = status.engine();
        EngineStatus.Listing listing = engine.listing();
        DaemonStatus.Program program = status.program();
        DaemonStatus.Events events = status.cluster().events();
        add("Version", program.version());
        add("Identity", program.identity());
        add("Started", times.of(program.started()));
        add("Leading or on standby since", times.of(engine.leadingSince(), "the start"));
        figures.add(new Figure("Cluster read", status.isReady() ? "yes" : "not yet", !status.isReady()));
        add("Last successful tick", times.of(program.lastTick(), "none yet"));
        add("Last listing", times.of(listing.last(), "not yet"));
        add("Next listing", times.of(listing.next()));
        add("Last comparison of all pools", times.of(listing.lastResync(), "not yet"));
        add("Next comparison", times.of(listing.nextResync(), "never"));
        add("Retry budget", PolicyWords.of(status.policies().retries().budget()));
        add("Retries refused", Long.toString(status.azure().retryBudget().refused()));
        figures.add(new Figure(
                "Events",
                "%s written, %s dropped, %s suppressed"
                        .formatted(events.written(), events.dropped(), events.suppressed()),
                events.dropped() > 0));
        add("Settings files", status.settings().live().files().toString());
        policies(status.policies());
        status.cluster().policyKinds().forEach(this::policyKind);
        return List.copyOf(figures);
    }

    private void policies(DaemonStatus.Policies policies) {
        add("Retries", PolicyWords.of(policies.retries()));
        add(
                "Retries set by",
                policies.retriesFrom()
                        + (policies.budgetFrom().equals(policies.retriesFrom())
                                ? ""
                                : ", budget by " + policies.budgetFrom()));
        figures.add(new Figure(
                "Retry policies of the cluster",
                "%s in force, %s not in force".formatted(policies.accepted(), policies.refused()),
                policies.refused() > 0));
    }

    private void policyKind(KindStatus kind) {
        String trouble = kind.trouble().isEmpty() ? "" : "; " + kind.trouble();
        figures.add(new Figure(
                "Watch on " + kind.kind(),
                (kind.watching() ? "open, " + kind.version() : "not open") + trouble,
                !kind.version().isEmpty() && !kind.watching()));
    }

    private void add(String name, String value) {
        figures.add(new Figure(name, value, false));
    }
}
