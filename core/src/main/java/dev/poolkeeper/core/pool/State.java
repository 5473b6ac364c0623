package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.Failure;
import java.time.Instant;

/**
 * What is being done for a pool. What leads from one state to another is a table in {@code docs/how-it-works.md}, which
 * a test compares with the decisions.
 */
public sealed interface State {

    /** Nothing. */
    record Idle() implements State {}

    /**
     * Operations wait.
     *
     * @param group these operations
     */
    record Waiting(OperationGroup group) implements State {}

    /**
     * A lane has taken operations and not finished; others may wait behind them.
     *
     * @param group what it has taken
     */
    record InHand(OperationGroup group) implements State {}

    /**
     * The last update failed for good. A comparison queues it again, in {@code desired-state} an event of an
     * EndpointSlice, too.
     *
     * @param failure why it failed
     * @param since when
     */
    record GaveUp(Failure failure, Instant since) implements State {}
}
