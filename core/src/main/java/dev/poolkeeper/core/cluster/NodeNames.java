package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the node of an address, including excluded nodes; pool entries are named after it. Guarded by the index's lock.
 */
final class NodeNames {

    private final Map<IpAddress, String> byAddress = new HashMap<>();
    private final Map<String, List<IpAddress>> addressesOf = new HashMap<>();

    void put(NodeState state) {
        List<IpAddress> addresses = state.internalIps().stream()
                .flatMap(text -> IpAddress.parse(text).stream())
                .toList();
        List<IpAddress> before = addressesOf.put(key(state.name()), addresses);
        if (!addresses.equals(before)) {
            forget(before, state.name());
            addresses.forEach(address -> byAddress.put(address, state.name()));
        }
    }

    void remove(String name) {
        forget(addressesOf.remove(key(name)), name);
    }

    private void forget(@Nullable List<IpAddress> addresses, String name) {
        if (addresses != null) {
            addresses.forEach(address ->
                    byAddress.computeIfPresent(address, (key, owner) -> owner.equalsIgnoreCase(name) ? null : owner));
        }
    }

    Optional<String> find(IpAddress address) {
        return Optional.ofNullable(byAddress.get(address));
    }

    AddressSet addresses(String node, IpFamily family) {
        return AddressSet.of(addressesOf.getOrDefault(key(node), List.of()).stream()
                .filter(address -> address.family() == family)
                .toList());
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
