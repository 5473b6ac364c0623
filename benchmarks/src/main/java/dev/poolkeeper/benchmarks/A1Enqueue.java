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
 * Queues {@code n} operations of as many Services and pools: with 20 addresses each in {@code diff}, with none in
 * {@code desired-state}.
 */
@State(Scope.Thread)
public class A1Enqueue {

    @Param({"desired", "diff"})
    public String model = "";

    @Param({"1000", "10000", "50000"})
    public int n;

    private Operation[] operations = {};

    @Setup
    public void prepare() {
        UpdateModel updateModel = Peer.model(model);
        operations = IntStream.range(0, n)
                .mapToObj(i -> Peer.operation(updateModel, i, Peer.window(i, 0, 20)))
                .toArray(Operation[]::new);
    }

    @Benchmark
    public OperationQueue enqueue() {
        OperationQueue queue = new OperationQueue(Peer.pools(), InstantSource.system(), Duration.ZERO);
        for (Operation operation : operations) {
            queue.add(operation);
        }
        Peer.require(queue.size() == n, n + " operations", queue.size());
        return queue;
    }
}
