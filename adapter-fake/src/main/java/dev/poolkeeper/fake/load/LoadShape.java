package dev.poolkeeper.fake.load;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The size of a generated cluster. Names and addresses depend only on these numbers.
 *
 * @param nodes the number of nodes, distributed round-robin over the zones; at most 1,000,000
 * @param zones the number of zones
 * @param services the number of local Services, each with its own pool
 * @param slicesPerService the number of EndpointSlices per Service
 * @param endpointsPerSlice the number of endpoints per slice
 * @param loadBalancers the number of load balancers, over which the pools are distributed round-robin
 */
public record LoadShape(
        int nodes, int zones, int services, int slicesPerService, int endpointsPerSlice, int loadBalancers) {

    /** A small cluster: 20 nodes in three zones, ten Services of six pods each on two load balancers. */
    public static final LoadShape DEFAULTS = new LoadShape(20, 3, 10, 2, 3, 2);

    /** The largest cluster that Kubernetes supports: 5,000 nodes, 10,000 Services, 150,000 pods. */
    public static final LoadShape LARGEST = new LoadShape(5_000, 3, 10_000, 3, 5, 16);

    private static final int MOST_NODES = 1_000_000;

    /** @throws IllegalArgumentException if a number is less than 1, or there are more nodes than addresses */
    public LoadShape {
        requirePositive("nodes", nodes);
        requirePositive("zones", zones);
        requirePositive("services", services);
        requirePositive("slicesPerService", slicesPerService);
        requirePositive("endpointsPerSlice", endpointsPerSlice);
        requirePositive("loadBalancers", loadBalancers);
        if (nodes > MOST_NODES) {
            throw new IllegalArgumentException("nodes must be at most " + MOST_NODES + ", got " + nodes);
        }
    }

    private static void requirePositive(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + " must be 1 or more, got " + value);
        }
    }

    public LoadShape withNodes(int number) {
        return new LoadShape(number, zones, services, slicesPerService, endpointsPerSlice, loadBalancers);
    }

    public LoadShape withZones(int number) {
        return new LoadShape(nodes, number, services, slicesPerService, endpointsPerSlice, loadBalancers);
    }

    public LoadShape withServices(int number) {
        return new LoadShape(nodes, zones, number, slicesPerService, endpointsPerSlice, loadBalancers);
    }

    public LoadShape withSlicesPerService(int number) {
        return new LoadShape(nodes, zones, services, number, endpointsPerSlice, loadBalancers);
    }

    public LoadShape withEndpointsPerSlice(int number) {
        return new LoadShape(nodes, zones, services, slicesPerService, number, loadBalancers);
    }

    public LoadShape withLoadBalancers(int number) {
        return new LoadShape(nodes, zones, services, slicesPerService, endpointsPerSlice, number);
    }

    /** The name of Service {@code i}. */
    public ServiceName service(int i) {
        return new ServiceName(
                String.format(Locale.ROOT, "load-%02d", i % 100), String.format(Locale.ROOT, "svc-%05d", i));
    }

    /** The pool of Service {@code i}. */
    public PoolKey pool(int i) {
        return PoolKey.of(
                loadBalancer(i % loadBalancers),
                IpFamily.IPV4.poolName(service(i)).toString());
    }

    /** Every pool, in order of the Services. */
    public List<PoolKey> pools() {
        return IntStream.range(0, services).mapToObj(this::pool).toList();
    }

    String loadBalancer(int i) {
        return i == 0 ? "kubernetes" : String.format(Locale.ROOT, "kubernetes-%02d", i);
    }

    /** The name of node {@code j}. */
    public String node(int j) {
        return String.format(Locale.ROOT, "aks-load-%08d-vmss%06d", 10_000_000 + zone(j), j);
    }

    /** The internal address of node {@code j}. */
    String address(int j) {
        return "10.%s.%s.%s".formatted(64 + j / 62_500, j / 250 % 250, j % 250 + 4);
    }

    int zone(int j) {
        return j % zones;
    }
}
