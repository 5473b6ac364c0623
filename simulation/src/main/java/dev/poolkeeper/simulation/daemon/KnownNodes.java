package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** The nodes that a process knows, and the names that it was shown: the contract, section 3, rules 2 and 4. */
public final class KnownNodes {

    /** Labels that exclude a node whatever their value is. */
    private static final List<String> EXCLUDING = List.of(
            "node.kubernetes.io/exclude-from-external-load-balancers",
            "node-role.kubernetes.io/control-plane",
            "node-role.kubernetes.io/master");

    private final Map<String, List<IpAddress>> addresses = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    /** In how many slices with a Service each name occurs. */
    private final Map<String, Integer> named = new HashMap<>();

    /** When a slice last began to name it, and when one last ceased to or the node was deleted. */
    private final Map<String, Long> joined = new HashMap<>();

    private final Map<String, Long> left = new HashMap<>();

    /** Names that the process may have forgotten or not: it may apply events of one instant in another order. */
    private final Set<String> doubtful = new HashSet<>();

    private final LongSupplier now;

    KnownNodes(LongSupplier now) {
        this.now = now;
    }

    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The addresses that a node adds to pools of a family. */
    public static List<IpAddress> addressesOf(NodeState node, IpFamily family) {
        return of(family, addressesOf(node));
    }

    private static List<IpAddress> of(IpFamily family, List<IpAddress> addresses) {
        List<IpAddress> found = new ArrayList<>(1);
        for (IpAddress address : addresses) {
            if (address.family() == family) {
                found.add(address);
            }
        }
        return found;
    }

    /** The first of each family. */
    private static List<IpAddress> addressesOf(NodeState node) {
        if (isExcluded(node.labels())) {
            return List.of();
        }
        Map<IpFamily, IpAddress> first = new EnumMap<>(IpFamily.class);
        for (String text : node.internalIps()) {
            IpAddress.parse(text).ifPresent(address -> first.putIfAbsent(address.family(), address));
        }
        return List.copyOf(first.values());
    }

    private static boolean isExcluded(Map<String, String> labels) {
        return EXCLUDING.stream().anyMatch(labels::containsKey)
                || "master".equals(labels.get("kubernetes.io/role"))
                || "false".equalsIgnoreCase(labels.get("kubernetes.azure.com/managed"));
    }

    /** Returns whether it is news: other addresses, or a name that was not seen. */
    boolean is(NodeState node) {
        List<IpAddress> now = addressesOf(node);
        List<IpAddress> before = addresses.put(key(node.name()), now);
        boolean isNew = seen.add(key(node.name()));
        doubtful.remove(key(node.name()));
        return isNew || !now.equals(before == null ? List.of() : before);
    }

    /** Returns whether it had addresses. */
    boolean isGone(String name) {
        List<IpAddress> before = addresses.remove(key(name));
        leaves(key(name));
        return before != null && !before.isEmpty();
    }

    /** A slice of a Service now names these and no longer those. */
    void named(Set<String> after, Set<String> before) {
        after.forEach(name -> named.merge(name, 1, Integer::sum));
        before.forEach(name -> named.compute(name, (key, times) -> times == null || times == 1 ? null : times - 1));
        after.stream().filter(name -> !before.contains(name)).forEach(this::joins);
        before.stream().filter(name -> !after.contains(name)).forEach(this::leaves);
    }

    private void joins(String name) {
        joined.put(name, now.getAsLong());
        noteDoubt(name);
    }

    private void leaves(String name) {
        left.put(name, now.getAsLong());
        noteDoubt(name);
        if (!named.containsKey(name) && !addresses.containsKey(name)) {
            seen.remove(name);
            doubtful.remove(name);
        }
    }

    private void noteDoubt(String name) {
        if (!addresses.containsKey(name) && joined.getOrDefault(name, -1L).equals(left.get(name))) {
            doubtful.add(name);
        }
    }

    static Set<String> names(EndpointSliceState slice) {
        Set<String> names = new HashSet<>();
        slice.nodeNames().forEach(name -> names.add(key(name)));
        return names;
    }

    /** Whether the process may or may not have forgotten the name of a node that was seen. */
    boolean isInDoubt(String key) {
        return doubtful.contains(key);
    }

    /** Whether a node of that name was seen and the name not forgotten since. */
    boolean wasSeen(String key) {
        return seen.contains(key);
    }

    /** The addresses that a node adds to pools of a family; none for an unknown one. */
    List<IpAddress> addresses(String key, IpFamily family) {
        return of(family, addresses.getOrDefault(key, List.of()));
    }
}
