package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.queue.OperationQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Queues {@code n} operations of 1,000 Services, round after round: with 20 different addresses each in {@code diff};
 * in {@code desired-state} the pending operation is marked as changed.
 */
@State(Scope.Thread)
public class A2EnqueueShared {

    private static final int SERVICES = 1_000;

    @Param({"desired", "diff"})
    public String model = "";

    @Param({"1000", "10000", "50000"})
    public int n;

    private UpdateModel updateModel = UpdateModel.DESIRED_STATE;
    private Operation[] operations = {};

    @Setup
    public void prepare() {
        updateModel = Peer.model(model);
        operations = IntStream.range(0, n)
                .mapToObj(k -> Peer.operation(updateModel, k % SERVICES, Peer.window(k % SERVICES, k / SERVICES, 20)))
                .toArray(Operation[]::new);
    }

    @Benchmark
    public OperationQueue enqueue() {
        OperationQueue queue = new OperationQueue(Peer.pools(), InstantSource.system(), Duration.ZERO);
        for (Operation operation : operations) {
            queue.add(operation);
        }
        int expected = updateModel == UpdateModel.DESIRED_STATE ? SERVICES : n;
        Peer.require(queue.size() == expected, expected + " operations", queue.size());
        return queue;
    }
}
