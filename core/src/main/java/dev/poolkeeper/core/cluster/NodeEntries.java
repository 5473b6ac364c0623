package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.NodeState;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nodes by name, in any case, and by address. A name is kept while a Node has it or a slice names it: anyone who
 * may write slices can name as many nodes as they like. Guarded by the index's lock.
 */
final class NodeEntries {

    private final Map<String, NodeEntry> byName = new HashMap<>();

    /** Excluded nodes included; of several nodes that claim an address, the last to do so. */
    private final Map<IpAddress, NodeEntry> byAddress = new HashMap<>();

    @Nullable
    NodeEntry find(String name) {
        return byName.get(key(name));
    }

    Optional<NodeEntry> find(IpAddress address) {
        return Optional.ofNullable(byAddress.get(address));
    }

    NodeEntry of(String name) {
        return byName.computeIfAbsent(key(name), NodeEntry::new);
    }

    /**
     * Takes a node's state from the API server, null after its deletion. Returns whether that can change any wanted
     * set.
     */
    boolean update(NodeEntry node, @Nullable NodeState state) {
        List<IpAddress> before = node.internalIps();
        boolean changed = node.update(state);
        if (!before.equals(node.internalIps())) {
            before.forEach(address -> byAddress.remove(address, node));
            node.internalIps().forEach(address -> byAddress.put(address, node));
        }
        return changed;
    }

    /** A slice was stored. */
    void named(SliceEntry slice) {
        for (NodeEntry node : slice.nodes()) {
            node.named++;
            node.users.set(slice.service().number);
        }
    }

    /** A stored slice is gone. Call {@link #named} for its successor first. */
    void unnamed(SliceEntry slice) {
        for (NodeEntry node : slice.nodes()) {
            node.named--;
            forgetIfUnused(node);
        }
    }

    void forgetIfUnused(NodeEntry node) {
        if (node.named == 0 && !node.isPresent()) {
            byName.remove(node.name);
        }
    }

    int size() {
        return byName.size();
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
