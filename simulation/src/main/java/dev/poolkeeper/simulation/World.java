package dev.poolkeeper.simulation;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.ApiServer;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.LeaseObject;
import dev.poolkeeper.simulation.cluster.OtherController;
import dev.poolkeeper.simulation.cluster.PolicyObjects;
import dev.poolkeeper.simulation.cluster.ServiceObject;
import dev.poolkeeper.simulation.cluster.WaitingPods;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.ServerTime;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The cluster and the load balancers of one run, with operations that change them. */
final class World {

    /** How the names of nodes begin that never exist. */
    static final String GHOST = "ghost-";

    private static final int MOST_LOAD_BALANCERS = 4;

    final Timeline timeline;
    final String prefix;
    final ApiServer apiServer;
    final LeaseObject election;
    final LeaseObject resourceLock;
    final ResourceManager arm;
    final OtherController otherController;
    final WaitingPods pods;
    final PolicyObjects policies;
    final List<ServiceName> services = new ArrayList<>();
    final List<ArmName> loadBalancers = new ArrayList<>();
    private int nodes;
    private int addresses;
    private int fewestNodes = 1;
    private int mostNodes = 5;

    /** @param prefix the prefix of the names of its namespaces, load balancers and processes */
    World(Timeline timeline, Chance chance, ResourceManager arm, String prefix) {
        this.timeline = timeline;
        this.arm = arm;
        this.prefix = prefix;
        this.apiServer = new ApiServer(new ServerTime(timeline, chance.forked(2)), timeline::now);
        this.apiServer.goneAsStatus(chance.forked(3).happens(0.5));
        this.election = apiServer.lease("poolkeeper-leader");
        this.resourceLock = apiServer.lease("aks-managed-resource-locker");
        this.pods = new WaitingPods(apiServer);
        this.policies = new PolicyObjects(apiServer);
        this.otherController = new OtherController(timeline, arm, resourceLock);
    }

    /** All possible load balancers, of which some are created. */
    List<ArmName> possibleLoadBalancers() {
        return IntStream.range(0, MOST_LOAD_BALANCERS)
                .mapToObj(number -> ArmName.of(prefix + "lb-" + number))
                .toList();
    }

    /** The pools of all Services, existing or not. */
    List<PoolKey> servicePools() {
        return arm.pools().stream()
                .filter(pool -> loadBalancers.contains(pool.loadBalancer()) && !otherController.owns(pool))
                .toList();
    }

    /** The name of the cluster. */
    String name() {
        return prefix.isEmpty() ? "west" : "east";
    }

    /**
     * Creates 2 to 4 load balancers, 6 to 10 nodes and 10 to 14 Services.
     *
     * @param size a factor for these numbers, at most 1
     * @param crowded whether there are six more nodes, and each Service has Pods on most of them
     */
    void furnish(Chance chance, double size, boolean crowded) {
        policies.furnish(chance.forked(7));
        if (chance.forked(8).happens(0.6)) {
            resourceLock.create(chance.forked(9).pick(900, 900, 0));
        }
        int count = (int) Math.ceil(size * chance.between(2, MOST_LOAD_BALANCERS));
        for (ArmName name : possibleLoadBalancers().subList(0, count)) {
            loadBalancers.add(name);
            arm.createLoadBalancer(name, name());
            otherController.addPool(name);
        }
        int nodeCount = (int) Math.ceil(size * chance.between(6, 10));
        if (crowded) {
            nodeCount += 6;
            fewestNodes = 8;
            mostNodes = 16;
        }
        for (int i = 0; i < nodeCount; i++) {
            addNode();
        }
        int serviceCount = (int) Math.ceil(size * chance.between(10, 14));
        for (int i = 0; i < serviceCount; i++) {
            ServiceName name = name(i);
            services.add(name);
            createService(name, chance);
            if (chance.happens(0.9)) {
                createPools(name, chance);
            }
        }
    }

    /** Some Services share a pool: a/b-c and a-b/c, or a/b in IPv6 and a/b-ipv6 in IPv4. */
    private ServiceName name(int number) {
        return switch (number) {
            case 1 -> new ServiceName(prefix + "shop-web", "api");
            case 2 -> new ServiceName(tenant(), "web-api");
            case 4 -> new ServiceName(tenant(), "web-api-ipv6");
            case 6 -> new ServiceName(tenant(), "own");
            case 7 -> new ServiceName(prefix + "ns0", "svc3-ipv6");
            default -> new ServiceName(prefix + "ns" + number % 3, "svc" + number);
        };
    }

    /** The namespace of a tenant who has no other rights. */
    String tenant() {
        return prefix + "shop";
    }

    String addNode() {
        String name = "node-" + nodes++;
        putNode(name, Map.of());
        return name;
    }

    /** The node gets addresses that were never used before. */
    void putNode(String name, Map<String, String> labels) {
        apiServer.put(Kind.NODE, name, new NodeState(name, labels, newAddresses()));
    }

    /** The node gets other addresses, sometimes of one family only. */
    void readdress(NodeState node, Chance chance) {
        List<String> addresses = newAddresses();
        int kept = chance.between(0, 3);
        if (kept < addresses.size()) {
            addresses.set(kept, node.internalIps().get(kept));
        }
        apiServer.put(Kind.NODE, node.name(), new NodeState(node.name(), node.labels(), addresses));
    }

    private List<String> newAddresses() {
        int number = ++addresses;
        String network = prefix.isEmpty() ? "10.0." : "10.1.";
        String six = prefix.isEmpty() ? "fd00::" : "fd01::";
        String host = number / 250 + "." + (number % 250 + 1);
        return new ArrayList<>(List.of(network + host, six + Integer.toHexString(number)));
    }

    List<String> nodeNames() {
        return apiServer.list(Kind.NODE).stream().map(node -> node.key()).toList();
    }

    void createService(ServiceName name, Chance chance) {
        boolean isTwin = name.name().equals("api") || name.name().equals("svc3");
        List<String> families = chance.happens(isTwin ? 0.6 : 0.25)
                ? List.of("IPv4", "IPv6")
                : chance.happens(0.1) ? List.of("IPv6") : List.of("IPv4");
        apiServer.put(Kind.SERVICE, name.toString(), ServiceObject.local(name, families));
        for (String family : families) {
            putSlice(name, "a", family, someNodes(chance));
        }
    }

    List<String> someNodes(Chance chance) {
        List<String> all = nodeNames();
        List<String> some = new ArrayList<>();
        int count = chance.between(fewestNodes, mostNodes);
        for (int i = 0; i < count && !all.isEmpty(); i++) {
            some.add(chance.pick(all));
        }
        return some;
    }

    void putSlice(ServiceName service, String suffix, String family, List<String> nodeNames) {
        String name = service.name() + "-" + family.toLowerCase(Locale.ROOT) + "-" + suffix;
        apiServer.put(
                Kind.SLICE,
                service.namespace() + "/" + name,
                new EndpointSliceState(service.namespace(), name, service, family, nodeNames));
    }

    /** Creates the Service's pools, each on a random load balancer, with possibly wrong content. */
    void createPools(ServiceName name, Chance chance) {
        for (IpFamily family : IpFamily.values()) {
            ArmName pool = family.poolName(name);
            boolean asked = apiServer
                    .find(Kind.SERVICE, name.toString())
                    .filter(service ->
                            service.service().ipFamilies().contains(family == IpFamily.IPV4 ? "IPv4" : "IPv6"))
                    .isPresent();
            if (asked && arm.places(pool).isEmpty()) {
                arm.createPool(new PoolKey(chance.pick(loadBalancers), pool), entries(family, chance));
            }
        }
    }

    /** Entries as another writer may have left them. */
    Map<IpAddress, String> entries(IpFamily family, Chance chance) {
        Map<IpAddress, String> entries = new TreeMap<>();
        int count = chance.between(0, 3);
        for (int i = 0; i < count; i++) {
            String text = family == IpFamily.IPV4
                    ? "10.9." + chance.between(0, 9) + "." + chance.between(1, 250)
                    : "fd09::" + chance.between(1, 9999);
            entries.put(IpAddress.of(text), "by-somebody-else-" + i);
        }
        return entries;
    }
}
