package dev.poolkeeper.core.cluster;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes by name, in any case. A name is kept while a Node has it or a slice names it: anyone who may write slices
 * can name as many nodes as they like. Guarded by the index's lock.
 */
final class NodeEntries {

    private final Map<String, NodeEntry> byName = new HashMap<>();

    @Nullable
    NodeEntry find(String name) {
        return byName.get(key(name));
    }

    NodeEntry of(String name) {
        return byName.computeIfAbsent(key(name), NodeEntry::new);
    }

    /** A slice that names these nodes was stored. */
    void named(NodeEntry[] nodes) {
        for (NodeEntry node : nodes) {
            node.slices++;
        }
    }

    /** A slice that named these nodes is gone. Call {@link #named} for its successor first. */
    void unnamed(NodeEntry[] nodes) {
        for (NodeEntry node : nodes) {
            node.slices--;
            forgetIfUnused(node);
        }
    }

    void forgetIfUnused(NodeEntry node) {
        if (node.slices == 0 && !node.isPresent()) {
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
