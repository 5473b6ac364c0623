package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.queue.OperationQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Removes each of {@code n} Services, each with one operation, in a different order than they were added. */
@State(Scope.Thread)
public class B2RemoveAll {

    private static final long STRIDE = 7_919;

    @Param({"desired", "diff"})
    public String model = "";

    @Param({"1000", "10000"})
    public int n;

    private OperationQueue queue = new OperationQueue(Peer.pools(), InstantSource.system(), Duration.ZERO);
    private Operation[] operations = {};

    @Setup
    public void prepare() {
        UpdateModel updateModel = Peer.model(model);
        operations = IntStream.range(0, n)
                .mapToObj(i -> Peer.operation(updateModel, i, Peer.window(i, 0, 20)))
                .toArray(Operation[]::new);
    }

    @Setup(Level.Invocation)
    public void fill() {
        queue = new OperationQueue(Peer.pools(), InstantSource.system(), Duration.ZERO);
        for (Operation operation : operations) {
            queue.add(operation);
        }
    }

    @Benchmark
    public OperationQueue removeAll() {
        for (int j = 0; j < n; j++) {
            Operation operation = operations[(int) (j * STRIDE % n)];
            queue.remove(operation.service(), operation.pool());
        }
        Peer.require(queue.isEmpty(), "an empty queue", queue.size());
        return queue;
    }
}
