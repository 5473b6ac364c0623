package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import java.util.Arrays;
import java.util.BitSet;

/** One node as the index knows it. Slices hold references to it, so that an endpoint costs one reference. */
final class NodeEntry {

    private static final IpAddress[] NO_ADDRESSES = {};

    /** Numbers of the Services that name this node. May hold numbers that no longer do; never lacks one that does. */
    final BitSet users = new BitSet();

    private boolean seen;
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
        boolean counts = !isExcluded(state);
        return set(
                counts ? addresses(state, IpFamily.IPV4) : NO_ADDRESSES,
                counts ? addresses(state, IpFamily.IPV6) : NO_ADDRESSES);
    }

    /** The node is gone: known, without addresses. Returns whether that can change any wanted set. */
    boolean delete() {
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

    private static boolean isExcluded(NodeState state) {
        return state.labels().containsKey(NodeState.EXCLUDE_FROM_EXTERNAL_LOAD_BALANCERS)
                || state.labels().containsKey(NodeState.CONTROL_PLANE)
                || state.labels().containsKey(NodeState.MASTER)
                || "false".equalsIgnoreCase(state.labels().get(NodeState.MANAGED));
    }
}
