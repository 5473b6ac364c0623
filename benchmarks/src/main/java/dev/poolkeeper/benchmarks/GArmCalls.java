package dev.poolkeeper.benchmarks;

import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A read, or a read and a write with a change, of a pool of 20 addresses through the real Azure SDK over TLS on
 * loopback; the emulator's operations take no time.
 */
@State(Scope.Thread)
public class GArmCalls {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final AddressSet[] WINDOWS = {Peer.window(0, 0, 20), Peer.window(0, 1, 20)};

    @Param({"get", "get-and-put"})
    public String call = "";

    private @Nullable EmulatedAzure azure;
    private int written;

    @Setup
    public void start() throws IOException {
        FakeCloud cloud = new FakeCloud(InstantSource.system());
        cloud.putPool(POOL, WINDOWS[0]);
        azure = EmulatedAzure.start(cloud, Duration.ZERO, PollSettings.DEFAULT);
    }

    @Benchmark
    public int throughTheSdk() {
        AzurePools pools = Objects.requireNonNull(azure).pools();
        BackendPool pool = value(pools.read(POOL));
        Peer.require(
                pool.addresses().size() == 20, "20 addresses", pool.addresses().size());
        if (call.equals("get-and-put")) {
            AddressSet next = WINDOWS[++written % 2];
            AddressSet now = value(pools.write(pool, next)).addresses();
            Peer.require(now.equals(next), "the addresses that were written", now);
        }
        return pool.addresses().size();
    }

    private static BackendPool value(Reply<BackendPool> reply) {
        return switch (reply) {
            case Reply.Ok<BackendPool>(BackendPool pool) -> pool;
            case Reply.Failed<BackendPool>(var failure) -> throw new IllegalStateException(failure.describe());
        };
    }

    @TearDown
    public void stop() {
        Objects.requireNonNull(azure).close();
    }
}
