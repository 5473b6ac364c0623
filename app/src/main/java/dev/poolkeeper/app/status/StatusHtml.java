package dev.poolkeeper.app.status;

import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.k8s.lease.ResourceLockStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The status as a page: no scripts, nothing loaded from anywhere, dark or light as the browser likes it. */
public final class StatusHtml {

    private static final String HEAD = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Poolkeeper status</title>
        <style>
        :root { color-scheme: light dark; --line: #bbb; --bad: #a30000; --soft: #f3f3f3 }
        @media (prefers-color-scheme: dark) { :root { --line: #555; --bad: #ff9c9c; --soft: #2a2a2a } }
        body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 90rem; padding: 0 1rem }
        table { border-collapse: collapse; margin: 0 0 1.5rem; font-size: .88rem; display: block; overflow-x: auto }
        caption { text-align: left; font-weight: 600; padding: .4rem 0 }
        th, td { padding: .25rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
        thead th { background: var(--soft) }
        .bad { color: var(--bad); font-weight: 600 }
        code, .addresses { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
        .addresses { max-width: 40rem }
        form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 0 0 1rem }
        .grid { display: flex; flex-wrap: wrap; gap: 0 2.5rem }
        </style>
        </head>
        <body>
        <main>
        <h1>Poolkeeper status</h1>
        """;

    /** More Services without a pool than these are counted rather than named. */
    private static final int SERVICES_SHOWN = 100;

    private final DaemonStatus status;
    private final Times times;
    private final Html html = new Html();

    private StatusHtml(DaemonStatus status) {
        this.status = status;
        this.times = new Times(status.engine().at());
    }

    /** The page with the pools that were asked for. */
    public static String of(StatusAnswer answer, StatusQuery query) {
        return new StatusHtml(answer.status()).page(query);
    }

    private String page(StatusQuery query) {
        html.markup(HEAD);
        html.element("p", summary(status.engine().pools()));
        html.markup("<div class=\"grid\">\n");
        program(status.program(), status.engine());
        replica(status.cluster());
        writing(status.engine().holds());
        budget(status.azure().retryBudget());
        html.markup("</div>\n");
        gates(status.azure().gates());
        watches();
        troubles(status.engine());
        settings(status.settings());
        withoutPool(query);
        new PoolTable(html, times).append(query, query.of(status.engine().pools()));
        return html.markup("</main>\n</body>\n</html>\n").toString();
    }

    private static String summary(List<PoolStatus> pools) {
        long inStep = pools.stream().filter(PoolStatus::isInStep).count();
        long outages = pools.stream().filter(PoolStatus::isOutage).count();
        return "%d of %d pools in step, %d in outage".formatted(inStep, pools.size(), outages);
    }

    private void program(DaemonStatus.Program program, EngineStatus engine) {
        EngineStatus.Listing listing = engine.listing();
        html.table("Program", List.of())
                .row("Version", program.version(), false)
                .row("Identity", program.identity(), false)
                .row("Now", times.of(engine.at()), false)
                .row("Started", times.of(program.started()), false)
                .row("Cluster read", status.isReady() ? "yes" : "not yet", !status.isReady())
                .row("Last good tick", times.of(program.lastTick(), "none yet"), false)
                .row("Operations waiting", Integer.toString(engine.work().operations()), false)
                .row("Pools parked", Integer.toString(engine.work().parkedPools()), false)
                .row("Next eligible", times.of(engine.work().nextEligibleAt(), "nothing waits"), false)
                .row("Load balancers listed", times.of(listing.last(), "not yet"), false)
                .row("Listed next", times.of(listing.next()), false)
                .row("All pools compared", times.of(listing.lastResync(), "not yet"), false)
                .row("Compared next", times.of(listing.nextResync(), "never"), false);
        listing.failure().ifPresent(failure -> html.row("Listing failed", failure.describe(), true));
        html.endTable();
    }

    private void replica(DaemonStatus.Cluster cluster) {
        DaemonStatus.Election election = cluster.election();
        ResourceLockStatus lock = cluster.resourceLock();
        DaemonStatus.Events events = cluster.events();
        html.table("Leader, lock, Events", List.of())
                .row("This replica", election.leading() ? "leads" : "stands by", false)
                .row("Since", times.of(status.engine().leadingSince(), "the start"), false)
                .row("Leader", election.held() ? known(election.leader()) : "no election", false)
                .row("Resource lock", lock.held() ? "held by this replica" : "not held by this replica", false)
                .row("Lock's holder", known(lock.holder()), false)
                .row(
                        "Lock held since",
                        times.of(lock.holding().flatMap(ResourceLockStatus.Holding::since), "not known"),
                        false)
                .row(
                        "Lock's lease expires",
                        times.of(lock.holding().map(ResourceLockStatus.Holding::expires), "no holder"),
                        false)
                .row("Lock available", times.of(lock.availableAt(), "nothing to wait for"), false);
        lock.error().ifPresent(error -> html.row("Lock cannot be asked for", error, true));
        html.row(
                        "Events",
                        "%d written, %d dropped, %d suppressed"
                                .formatted(events.written(), events.dropped(), events.suppressed()),
                        events.dropped() > 0)
                .endTable();
    }

    private void budget(RetryModel.BudgetStatus budget) {
        OptionalLong balance = budget.balance();
        html.table("Retries", List.of())
                .row("Retry budget", budget.rule(), false)
                .row(
                        "Retries admitted now",
                        balance.isPresent() ? Long.toString(balance.getAsLong()) : "no limit",
                        balance.isPresent() && balance.getAsLong() == 0)
                .row("Retries refused so far", Long.toString(budget.refused()), false)
                .endTable();
    }

    private void writing(EngineStatus.Holds holds) {
        boolean dryRun = status.settings().dryRun();
        html.table("Writing", List.of())
                .row("Paused", holds.paused() ? "yes: nothing is written" : "no", holds.paused())
                .row("Dry run", dryRun ? "yes: nothing is ever written" : "no", dryRun);
        if (holds.braked().isEmpty()) {
            html.row("Safety brake", "off", false);
        }
        holds.braked()
                .forEach(removal -> html.row("Safety brake", "on", true)
                        .row("Would remove", removal.removed() + " of " + removal.all() + " addresses", true)
                        .row("Held since", times.of(removal.since()), false)
                        .row("Carried out if it stays so", times.of(removal.until()), false)
                        .row("Agree with safetyBrake.agreed", removal.id(), false));
        html.endTable();
    }

    private static String known(Optional<String> holder) {
        return holder.orElse("not known");
    }

    private void gates(GateStatus gates) {
        html.table("Throttling gates", List.of("Gate", "Shut until"));
        gate("reads", Optional.ofNullable(gates.readsShutUntil()));
        gate("writes", Optional.ofNullable(gates.writesShutUntil()));
        gates.busyUntil().forEach((loadBalancer, until) -> gate(loadBalancer.toString(), Optional.of(until)));
        html.endTable();
    }

    private void gate(String name, Optional<Instant> shutUntil) {
        html.markup("<tr>")
                .cell(name, false)
                .cell(times.of(shutUntil, "open"), shutUntil.isPresent())
                .markup("</tr>\n");
    }

    private void watches() {
        html.table("Watches", List.of("Kind", "Read", "Watch", "Objects", "Last sign", "Lists", "Stalled", "Trouble"));
        for (WatchStatus watch : status.cluster().watches()) {
            html.markup("<tr>")
                    .cell(watch.kind(), false)
                    .cell(watch.synced() ? "yes" : "not yet", !watch.synced())
                    .cell(watch.watching() ? "open" : "shut", !watch.watching())
                    .cell(Integer.toString(watch.objects()), false)
                    .cell(times.of(watch.lastSign(), "never"), watch.lastSign().isEmpty())
                    .cell(Long.toString(watch.lists()), false)
                    .cell(Long.toString(watch.stalls()), false)
                    .cell(watch.lastError().orElse(""), true)
                    .markup("</tr>\n");
        }
        html.endTable();
    }

    private void troubles(EngineStatus engine) {
        if (!status.isCutOff()
                && status.missingPermissions().isEmpty()
                && engine.holds().forbidden().isEmpty()
                && engine.listing().ambiguous().isEmpty()) {
            return;
        }
        html.table("Needs attention", List.of("What", "Why", "What to do"));
        if (status.isCutOff()) {
            trouble(
                    "No watch on the API server is open",
                    "changes in the cluster are not seen",
                    "see the last error of each watch; this replica stays ready and tries again by itself");
        }
        status.missingPermissions()
                .forEach(missing ->
                        trouble(missing.where() + ": " + missing.permission(), "permission missing", missing.remedy()));
        engine.holds()
                .forbidden()
                .forEach(forbidden -> trouble(
                        "Load balancer " + forbidden.loadBalancer() + " is not written",
                        forbidden.answer(),
                        "grant access; tried again " + times.of(forbidden.until())));
        engine.listing()
                .ambiguous()
                .forEach(ambiguous -> trouble(
                        "Service " + ambiguous.service(),
                        "several load balancers have a pool " + ambiguous.pool() + ": " + ambiguous.places(),
                        "remove all but one, or configure which load balancers belong to this cluster"));
        html.endTable();
    }

    private void trouble(String what, String why, String remedy) {
        html.markup("<tr>")
                .cell(what, true)
                .cell(why, false)
                .cell(remedy, false)
                .markup("</tr>\n");
    }

    private void withoutPool(StatusQuery query) {
        List<String> names = status.engine().listing().withoutPool().stream()
                .map(ServiceName::toString)
                .filter(name -> name.contains(query.service().orElse("")))
                .toList();
        if (!names.isEmpty()) {
            String more = names.size() > SERVICES_SHOWN ? " and " + (names.size() - SERVICES_SHOWN) + " more" : "";
            html.element("h2", "Local Services without a pool: " + names.size());
            html.element("p", names.stream().limit(SERVICES_SHOWN).collect(Collectors.joining(", ")) + more);
        }
    }

    private void settings(DaemonStatus.Settings settings) {
        html.table("Settings that follow their files", List.of())
                .row("Files", settings.live().files().toString(), false)
                .row("Retries", settings.live().retries().toString(), false);
        settings.faults()
                .forEach(fault -> html.row("Refused, the last good settings stay in force", fault.toString(), true));
        html.endTable();
    }
}
