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
import org.openjdk.jmh.annotations.TearDown;

/** Removes one Service of {@code n}, each with one operation, and queues its operation again. */
@State(Scope.Thread)
public class B1RemoveService {

    private static final int STRIDE = 7_919;

    @Param({"desired", "diff"})
    public String model = "";

    @Param({"1000", "10000", "50000"})
    public int n;

    private OperationQueue queue = new OperationQueue(Peer.pools(), InstantSource.system(), Duration.ZERO);
    private Operation[] operations = {};
    private long iteration;

    @Setup
    public void prepare() {
        UpdateModel updateModel = Peer.model(model);
        operations = IntStream.range(0, n)
                .mapToObj(i -> Peer.operation(updateModel, i, Peer.window(i, 0, 20)))
                .toArray(Operation[]::new);
        queue = new OperationQueue(Peer.pools(), InstantSource.system(), Duration.ZERO);
        for (Operation operation : operations) {
            queue.add(operation);
        }
    }

    @Benchmark
    public int removeOneAndAppendItAgain() {
        Operation operation = operations[(int) (iteration++ * STRIDE % n)];
        queue.remove(operation.service(), operation.pool());
        int left = queue.size();
        queue.add(operation);
        Peer.require(left == n - 1, n - 1 + " operations left", left);
        return left;
    }

    @TearDown
    public void check() {
        Peer.require(queue.size() == n, n + " operations", queue.size());
    }
}
