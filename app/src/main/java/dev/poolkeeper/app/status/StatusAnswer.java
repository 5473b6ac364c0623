package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.PoolStatus;
import java.util.List;

/**
 * The status with what was asked for. The page and the JSON show the same.
 *
 * @param status the daemon's, of all pools
 * @param pools the pools that were asked for
 * @param nodes whether the node that was asked about is in these pools, and why; empty where none was
 */
public record StatusAnswer(DaemonStatus status, StatusQuery.Selection pools, List<NodeAnswer> nodes) {

    public StatusAnswer {
        nodes = List.copyOf(nodes);
    }

    /** What was asked for. */
    public static StatusAnswer to(StatusQuery query, DaemonStatus status, NodeReports reports) {
        StatusQuery.Selection pools = query.of(status.engine().pools());
        return new StatusAnswer(
                status,
                pools,
                query.node().stream()
                        .flatMap(node -> pools.shown().stream().flatMap(pool -> answers(node, pool, reports).stream()))
                        .toList());
    }

    private static List<NodeAnswer> answers(String node, PoolStatus pool, NodeReports reports) {
        return pool.services().stream()
                .flatMap(service -> reports.of(service, pool.pool(), node).stream()
                        .map(report -> NodeAnswer.of(node, service, pool, report)))
                .toList();
    }

    /** What needs attention and concerns more than a pool. */
    List<Problem> problems() {
        return new Problems(status, new Times(status.engine().at())).ofTheWhole();
    }

    /** All pools in one line, such as {@code 27 of 28 pools in step, 1 held}. */
    public String summary() {
        return PoolSummary.of(status.engine().pools());
    }
}
