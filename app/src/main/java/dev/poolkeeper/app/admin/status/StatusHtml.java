package dev.poolkeeper.app.admin.status;

import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
        this.times = new Times(status.program().now());
    }

    /** The page with the pools that were asked for. */
    public static String of(DaemonStatus status, StatusQuery query) {
        return new StatusHtml(status).page(query);
    }

    private String page(StatusQuery query) {
        html.markup(HEAD).markup("<div class=\"grid\">\n");
        program();
        replica();
        writing();
        html.markup("</div>\n");
        gates();
        watches();
        troubles();
        policies();
        withoutPool(query);
        new PoolTable(html, times).append(query, query.of(status.pools()));
        return html.markup("</main>\n</body>\n</html>\n").toString();
    }

    private void program() {
        DaemonStatus.Program program = status.program();
        DaemonStatus.Directory directory = status.directory();
        DaemonStatus.Ticks ticks = status.ticks();
        html.table("Program", List.of())
                .row("Version", program.version(), false)
                .row("Identity", program.identity(), false)
                .row("Now", times.of(program.now(), ""), false)
                .row("Started", times.of(program.started(), ""), false)
                .row("Cluster read", program.ready() ? "yes" : "not yet", !program.ready())
                .row("Last good tick", times.of(ticks.lastSuccess(), "none yet"), false)
                .row("Operations waiting", Long.toString(ticks.queued()), false)
                .row("Pools parked", Long.toString(ticks.parkedGroups()), false)
                .row("Next may go", times.of(ticks.nextEligible(), "nothing waits"), false)
                .row("Load balancers listed", times.of(directory.lastRefresh(), "not yet"), false)
                .row("Listed next", times.of(directory.nextRefresh(), "when leading"), false)
                .row("All pools compared", times.of(directory.lastResync(), "not yet"), false)
                .row("Compared next", times.of(directory.nextResync(), "never"), false);
        if (directory.error() != null) {
            html.row("Listing failed", directory.error(), true);
        }
        html.endTable();
    }

    private void replica() {
        DaemonStatus.Leadership leadership = status.leadership();
        DaemonStatus.Lock lock = status.resourceLock();
        DaemonStatus.Budget budget = status.budget();
        html.table("Leader, lock, budget", List.of())
                .row("This replica", leadership.leading() ? "leads" : "stands by", false)
                .row("Since", times.of(leadership.since(), "the start"), false)
                .row("Leader", leadership.elected() ? known(leadership.leader()) : "no election", false)
                .row("Resource lock", lock.held() ? "held by this replica" : "not held by this replica", false)
                .row("Lock's holder", known(lock.holder()), false)
                .row("Lock held since", times.of(lock.since(), "not known"), false)
                .row("Lock's lease expires", times.of(lock.expires(), "no holder"), false)
                .row("Lock available", times.of(lock.availableAt(), "nothing to wait for"), false);
        if (lock.error() != null) {
            html.row("Lock cannot be asked for", lock.error(), true);
        }
        Long balance = budget.balance();
        html.row("Retry budget", budget.rule(), false)
                .row(
                        "Retries admitted now",
                        balance == null ? "no limit" : balance.toString(),
                        balance != null && balance == 0)
                .row("Retries refused so far", Long.toString(budget.refused()), false)
                .endTable();
    }

    private void writing() {
        DaemonStatus.Writing writing = status.writing();
        html.table("Writing", List.of())
                .row("Paused", writing.paused() ? "yes: nothing is written" : "no", writing.paused())
                .row("Dry run", writing.dryRun() ? "yes: nothing is ever written" : "no", writing.dryRun());
        DaemonStatus.Brake brake = writing.brake();
        if (brake == null) {
            html.row("Safety brake", "off", false);
        } else {
            html.row("Safety brake", "on", true)
                    .row("Would remove", brake.removals() + " of " + brake.addresses() + " addresses", true)
                    .row("Held since", times.of(brake.since(), ""), false)
                    .row("Carried out if it stays so", times.of(brake.until(), ""), false)
                    .row("Agree with safetyBrake.agreed", brake.id(), false);
        }
        html.endTable();
    }

    private static String known(@Nullable String holder) {
        return holder == null ? "nobody known" : holder;
    }

    private void gates() {
        if (status.gates().isEmpty()) {
            return;
        }
        html.table("Throttling gates", List.of("Gate", "Shut until"));
        for (DaemonStatus.Gate gate : status.gates()) {
            html.markup("<tr>")
                    .cell(gate.name(), false)
                    .cell(times.of(gate.shutUntil(), "open"), gate.shutUntil() != null)
                    .markup("</tr>\n");
        }
        html.endTable();
    }

    private void watches() {
        html.table(
                "Watches",
                List.of("Kind", "Read", "Watch", "Objects", "Last sign", "Lists", "Given up as silent", "Trouble"));
        for (DaemonStatus.Watch watch : status.watches()) {
            html.markup("<tr>")
                    .cell(watch.kind(), false)
                    .cell(watch.synced() ? "yes" : "not yet", !watch.synced())
                    .cell(watch.open() ? "open" : "shut", !watch.open())
                    .cell(Long.toString(watch.objects()), false)
                    .cell(times.of(watch.lastSign(), "never"), watch.lastSign() == null)
                    .cell(Long.toString(watch.lists()), false)
                    .cell(Long.toString(watch.stalls()), false)
                    .cell(watch.error() == null ? "" : watch.error(), true)
                    .markup("</tr>\n");
        }
        html.endTable();
    }

    private void troubles() {
        if (!status.isCutOff()
                && status.missingPermissions().isEmpty()
                && status.isolatedLoadBalancers().isEmpty()
                && status.directory().warnings().isEmpty()) {
            return;
        }
        html.table("Somebody has to look", List.of("What", "Why", "What to do"));
        if (status.isCutOff()) {
            trouble(
                    "No watch on the API server is open",
                    "changes in the cluster are not seen",
                    "see the last error of each watch; this replica stays ready and tries again by itself");
        }
        status.missingPermissions()
                .forEach(missing ->
                        trouble(missing.where() + ": " + missing.permission(), "permission missing", missing.remedy()));
        status.isolatedLoadBalancers()
                .forEach(isolated -> trouble(
                        "Load balancer " + isolated.name() + " is left alone",
                        isolated.reason(),
                        isolated.until() == null
                                ? "grant access, then restart"
                                : "grant access; tried again " + times.of(isolated.until(), "")));
        status.directory().warnings().forEach(warning -> trouble("Load balancers", warning, ""));
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
        List<String> names = status.directory().servicesWithoutPool().stream()
                .map(ServiceName::toString)
                .filter(name -> name.contains(query.service().orElse("")))
                .toList();
        if (!names.isEmpty()) {
            String more = names.size() > SERVICES_SHOWN ? " and " + (names.size() - SERVICES_SHOWN) + " more" : "";
            html.element("h2", "Local Services without a pool: " + names.size());
            html.element("p", names.stream().limit(SERVICES_SHOWN).collect(Collectors.joining(", ")) + more);
        }
    }

    private void policies() {
        if (status.policies().isEmpty()) {
            return;
        }
        html.table("Retry policies", List.of("Source", "State", "Detail"));
        for (DaemonStatus.Policy policy : status.policies()) {
            html.markup("<tr>")
                    .cell(policy.source(), false)
                    .cell(policy.accepted() ? "in force" : "refused, the one before holds", !policy.accepted())
                    .cell(policy.detail(), false)
                    .markup("</tr>\n");
        }
        html.endTable();
    }
}
