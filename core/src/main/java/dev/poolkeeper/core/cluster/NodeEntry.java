package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A node in the index. Slices refer to it, so an endpoint takes one reference. */
final class NodeEntry {

    private static final IpAddress[] NO_ADDRESSES = {};

    /** In lower case. */
    final String name;

    /** The number of stored slices that name it. */
    int slices;

    /** Numbers of the Services that reference this node. May contain stale numbers, but never misses a current one. */
    final BitSet users = new BitSet();

    private boolean seen;
    private boolean present;
    private @Nullable String excludedBy;
    private IpAddress[] ipv4 = NO_ADDRESSES;
    private IpAddress[] ipv6 = NO_ADDRESSES;

    /** The last pass of the index that visited this node; visits each node once without needing a set. */
    long pass;

    NodeEntry(String name) {
        this.name = name;
    }

    /** Whether a Node of this name exists. */
    boolean isPresent() {
        return present;
    }

    /** Whether the API server ever reported this node, including its deletion. */
    boolean isSeen() {
        return seen;
    }

    IpAddress[] addresses(IpFamily family) {
        return family == IpFamily.IPV4 ? ipv4 : ipv6;
    }

    /** Applies the state from the API server. Returns whether that can change any wanted set. */
    boolean update(NodeState state) {
        present = true;
        excludedBy = excludingLabel(state);
        boolean counts = excludedBy == null;
        return set(
                counts ? addresses(state, IpFamily.IPV4) : NO_ADDRESSES,
                counts ? addresses(state, IpFamily.IPV6) : NO_ADDRESSES);
    }

    /** Marks the node deleted: seen, but without addresses. Returns whether that can change any wanted set. */
    boolean delete() {
        present = false;
        excludedBy = null;
        return set(NO_ADDRESSES, NO_ADDRESSES);
    }

    private boolean set(IpAddress[] newIpv4, IpAddress[] newIpv6) {
        boolean changed = !seen || !Arrays.equals(ipv4, newIpv4) || !Arrays.equals(ipv6, newIpv6);
        seen = true;
        ipv4 = newIpv4;
        ipv6 = newIpv6;
        return changed;
    }

    /** Only the first: the cloud provider's reconcile of the Service removes any other again. */
    private static IpAddress[] addresses(NodeState state, IpFamily family) {
        return state.internalIps().stream()
                .flatMap(text -> IpAddress.parse(text).stream())
                .filter(address -> address.family() == family)
                .limit(1)
                .toArray(IpAddress[]::new);
    }

    NodeReport.Presence presence() {
        return present ? NodeReport.Presence.PRESENT : seen ? NodeReport.Presence.DELETED : NodeReport.Presence.UNKNOWN;
    }

    /** The label that excludes its addresses; null for none. */
    @Nullable
    String excludedBy() {
        return excludedBy;
    }

    private static @Nullable String excludingLabel(NodeState state) {
        for (String label : NodeState.LABELS_THAT_EXCLUDE) {
            String value = state.labels().get(label);
            if (value != null && excludes(label, value)) {
                return label;
            }
        }
        return null;
    }

    private static boolean excludes(String label, String value) {
        return switch (label) {
            case NodeState.ROLE -> value.equals("master");
            case NodeState.MANAGED -> value.equalsIgnoreCase("false");
            default -> true;
        };
    }
}
