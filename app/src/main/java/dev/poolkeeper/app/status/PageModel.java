package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The data of {@code status.mustache}: texts that only need escaping. An empty text is not shown.
 *
 * @param summary a one-line summary of all pools
 * @param troubled whether the summary reports trouble
 * @param now the moment of the status
 * @param role the role of this replica
 * @param problems the problems that need attention, pools in outage first
 * @param problemsLeftOut how many more there are; empty for none
 * @param figures general figures
 * @param charts the last hour
 * @param query the query
 * @param nodes the answers about the requested node
 * @param shown how many pools are shown
 * @param pools the pools shown
 * @param withoutPool the Services without a pool; empty for none
 * @param watches the watches
 * @param internals figures for those who know the internals
 */
record PageModel(
        String summary,
        boolean troubled,
        String now,
        String role,
        List<Problem> problems,
        String problemsLeftOut,
        List<Figure> figures,
        List<Chart> charts,
        StatusQuery query,
        List<Node> nodes,
        String shown,
        List<PoolRow> pools,
        String withoutPool,
        List<Watch> watches,
        List<Figure> internals) {

    /** At most this many problems are shown, and the rest counted. */
    private static final int PROBLEMS_SHOWN = 100;

    /** At most this many Services without a pool are named, and the rest counted. */
    private static final int SERVICES_SHOWN = 100;

    /** A name and a value, perhaps a bad one. */
    record Figure(String name, String value, boolean bad) {}

    /** An answer about a node, for one Service if several share the pool. */
    record Node(String node, String pool, String text) {

        static Node of(NodeAnswer answer, List<PoolStatus> pools) {
            boolean shared = pools.stream()
                    .anyMatch(pool ->
                            pool.pool().equals(answer.pool()) && pool.services().size() > 1);
            return new Node(
                    answer.node(), answer.pool() + (shared ? " for Service " + answer.service() : ""), answer.text());
        }
    }

    /** A watch. */
    record Watch(
            String kind,
            String read,
            String watch,
            int objects,
            String lastSign,
            long lists,
            long stalls,
            String trouble) {

        static Watch of(WatchStatus watch, Times times) {
            return new Watch(
                    watch.kind(),
                    watch.synced() ? "yes" : "not yet",
                    watch.watching() ? "open" : "closed",
                    watch.objects(),
                    times.of(watch.lastSign(), "never"),
                    watch.lists(),
                    watch.stalls(),
                    watch.lastError().orElse(""));
        }
    }

    static PageModel of(StatusAnswer answer, StatusQuery query) {
        DaemonStatus status = answer.status();
        Times times = new Times(status.engine().at());
        List<Problem> problems = new Problems(status, times).list();
        int leftOut = problems.size() - PROBLEMS_SHOWN;
        Figures figures = new Figures(status, times);
        return new PageModel(
                answer.summary(),
                !problems.isEmpty(),
                times.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                figures.role(),
                problems.stream().limit(PROBLEMS_SHOWN).toList(),
                leftOut > 0 ? "And " + leftOut + " more." : "",
                figures.small(),
                charts(status, times.now()),
                query,
                answer.nodes().stream()
                        .map(node -> Node.of(node, answer.pools().shown()))
                        .toList(),
                shown(answer.pools()),
                answer.pools().shown().stream()
                        .map(pool -> PoolRow.of(pool, times))
                        .toList(),
                withoutPool(status.engine().listing().withoutPool(), query),
                status.cluster().watches().stream()
                        .map(watch -> Watch.of(watch, times))
                        .toList(),
                figures.internals());
    }

    private static List<Chart> charts(DaemonStatus status, Instant now) {
        List<RecentHour.Moment> hour = status.lastHour();
        return List.of(
                Chart.of("Pools not in step", "", hour, RecentHour.Moment::outOfStep, now),
                Chart.of(
                        "Age of the oldest unwritten change",
                        " s",
                        hour,
                        moment -> moment.oldestChange().toSeconds(),
                        now));
    }

    private static String shown(StatusQuery.Selection selection) {
        String shown = selection.shown().size() < selection.matching()
                ? "the first %s of %s".formatted(selection.shown().size(), selection.matching())
                : Integer.toString(selection.matching());
        return "Shown: %s; there are %s pools.".formatted(shown, selection.all());
    }

    private static String withoutPool(List<ServiceName> services, StatusQuery query) {
        List<String> names = services.stream()
                .filter(query.selected())
                .map(service -> service + " (" + MissingPool.why(service) + ")")
                .toList();
        int more = names.size() - SERVICES_SHOWN;
        return names.stream().limit(SERVICES_SHOWN).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    boolean hasProblems() {
        return !problems.isEmpty();
    }

    String service() {
        return query.service().orElse("");
    }

    String node() {
        return query.node().orElse("");
    }

    boolean problemsOnly() {
        return query.problemsOnly();
    }
}
