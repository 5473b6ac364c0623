package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** One node as the index knows it. Slices hold references to it, so that an endpoint costs one reference. */
final class NodeEntry {

    private static final IpAddress[] NO_ADDRESSES = {};

    /** Numbers of the Services that name this node. May hold numbers that no longer do; never lacks one that does. */
    final BitSet users = new BitSet();

    private boolean seen;
    private boolean present;
    private @Nullable String excludedBy;
    private IpAddress[] ipv4 = NO_ADDRESSES;
    private IpAddress[] ipv6 = NO_ADDRESSES;

    /** The last pass of the index that met this node; lets it take each node once without a set. */
    long pass;

    /** Whether the API server ever spoke of this node, its deletion included. */
    boolean isSeen() {
        return seen;
    }

    IpAddress[] addresses(IpFamily family) {
        return family == IpFamily.IPV4 ? ipv4 : ipv6;
    }

    /** Takes what the API server says. Returns whether that can change any wanted set. */
    boolean update(NodeState state) {
        present = true;
        excludedBy = excludingLabel(state);
        boolean counts = excludedBy == null;
        return set(
                counts ? addresses(state, IpFamily.IPV4) : NO_ADDRESSES,
                counts ? addresses(state, IpFamily.IPV6) : NO_ADDRESSES);
    }

    /** The node is gone: known, without addresses. Returns whether that can change any wanted set. */
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

    private static IpAddress[] addresses(NodeState state, IpFamily family) {
        return state.internalIps().stream()
                .flatMap(text -> IpAddress.parse(text).stream())
                .filter(address -> address.family() == family)
                .toArray(IpAddress[]::new);
    }

    NodeReport.Presence presence() {
        return present ? NodeReport.Presence.PRESENT : seen ? NodeReport.Presence.DELETED : NodeReport.Presence.UNKNOWN;
    }

    /** The label that keeps its addresses from counting; null for none. */
    @Nullable
    String excludedBy() {
        return excludedBy;
    }

    private static @Nullable String excludingLabel(NodeState state) {
        for (String label : NodeState.LABELS_THAT_EXCLUDE) {
            String value = state.labels().get(label);
            if (value != null && (!label.equals(NodeState.MANAGED) || value.equalsIgnoreCase("false"))) {
                return label;
            }
        }
        return null;
    }
}
