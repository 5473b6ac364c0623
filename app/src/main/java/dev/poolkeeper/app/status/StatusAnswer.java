package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import java.util.List;

/**
 * The answer to a status query. The page and the JSON show the same.
 *
 * @param status the daemon's status, with all pools
 * @param pools the selected pools
 * @param nodes whether the requested node is in these pools, and why; empty if no node was requested
 */
public record StatusAnswer(DaemonStatus status, StatusQuery.Selection pools, List<NodeAnswer> nodes) {

    public StatusAnswer {
        nodes = List.copyOf(nodes);
    }

    /** Answers a query. */
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

    /** The problems that affect more than one pool. */
    List<Problem> problems() {
        return new Problems(status, new Times(status.engine().at())).ofTheWhole();
    }

    /**
     * A one-line summary of all pools and of the Services without one, such as {@code 27 of 28 pools in step, 1 held; 1
     * Service without a pool}; of a standby only their number.
     */
    public String summary() {
        EngineStatus engine = status.engine();
        return PoolSummary.of(
                engine.leading(), engine.pools(), engine.listing().withoutPool().size());
    }
}
