package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.WantedSets.Change;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The inputs of the Go updater's benchmarks as formulas: no random numbers, so they are the same everywhere. */
final class Peer {

    private static final int ADDRESSES = 5_000;
    private static final IpAddress[] IPS =
            IntStream.range(0, ADDRESSES).mapToObj(Peer::newIp).toArray(IpAddress[]::new);

    private Peer() {}

    /** The model named by a benchmark's parameter. */
    static UpdateModel model(String name) {
        return switch (name) {
            case "desired" -> UpdateModel.DESIRED_STATE;
            case "diff" -> UpdateModel.DIFF;
            default -> throw new IllegalArgumentException("a model is desired or diff, got " + name);
        };
    }

    static ServiceName service(int i) {
        return new ServiceName("ns-%03d".formatted(i % 100), "svc-%06d".formatted(i));
    }

    static PoolKey pool(int i) {
        return PoolKey.of("kubernetes-lb-%02d".formatted(i % 10), "ns-%03d-svc-%06d".formatted(i % 100, i));
    }

    static IpAddress ip(int j) {
        return IPS[j % ADDRESSES];
    }

    private static IpAddress newIp(int j) {
        return IpAddress.of("10.16.%d.%d".formatted(j / 250, j % 250 + 1));
    }

    /** The {@code m} addresses of Service {@code i} in round {@code g}. */
    static AddressSet window(int i, int g, int m) {
        int first = i * 7 + g * 13;
        return AddressSet.of(IntStream.range(0, m).mapToObj(t -> ip(first + t)).toList());
    }

    static String nodeName(int j) {
        return "node-%04d".formatted(j);
    }

    static NodeState node(int j) {
        return new NodeState(nodeName(j), Map.of(), List.of(ip(j).toString()));
    }

    /** No pools yet; their freshness is not measured. */
    static Pools pools() {
        return new Pools(new Freshness(InstantSource.system(), (pool, took) -> {}), false);
    }

    /**
     * The operation that the model queues where the Go benchmarks queue an add: an add, or an operation without
     * addresses.
     */
    static Operation operation(UpdateModel model, int i, AddressSet addresses) {
        return model == UpdateModel.DIFF
                ? new Operation.Add(service(i), pool(i), addresses)
                : new Operation.Sync(service(i), pool(i));
    }

    /**
     * Round {@code k} of Service {@code i}: its desired state changes from nothing to a window. In {@code diff}, as in
     * the Go benchmarks, even rounds add the window and odd rounds remove it.
     */
    static Change round(UpdateModel model, int i, int k, int addresses) {
        AddressSet window = window(i, k, addresses);
        return model == UpdateModel.DIFF && k % 2 == 1
                ? new Change(i, window, AddressSet.empty())
                : new Change(i, AddressSet.empty(), window);
    }

    /** Throws if a benchmark's result is wrong: verifies that nothing was optimised away or left out. */
    static void require(boolean condition, String what, Object found) {
        if (!condition) {
            throw new IllegalStateException("expected " + what + ", got " + found);
        }
    }
}
