package dev.poolkeeper.core.cluster;

import dev.poolkeeper.core.cluster.NodeReport.Presence;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.NodeState;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node in the index. Guarded by the index's lock. */
final class NodeEntry {

    /** In lower case. */
    final String name;

    /** How often stored slices name it. */
    int named;

    /**
     * Numbers of the Services that reference this node. May contain stale numbers, but never misses a current one. Bits
     * rather than references: those of benchmark F take 1.3 MB, a set of references for each node would take 100 MB.
     */
    final BitSet users = new BitSet();

    /** The last look that took its address, so that a look takes it once however many endpoints the node has. */
    @Nullable
    Object lastLook;

    private Presence presence = Presence.UNKNOWN;
    private String spelling;
    private Optional<String> excludedBy = Optional.empty();
    private List<IpAddress> internalIps = List.of();
    private @Nullable IpAddress ipv4;
    private @Nullable IpAddress ipv6;

    NodeEntry(String name) {
        this.name = name;
        this.spelling = name;
    }

    Presence presence() {
        return presence;
    }

    /** Whether a Node of this name exists. */
    boolean isPresent() {
        return presence == Presence.PRESENT;
    }

    /** Whether the API server ever reported this node, including its deletion. */
    boolean isSeen() {
        return presence != Presence.UNKNOWN;
    }

    /** Its name as the API server writes it. */
    String spelling() {
        return spelling;
    }

    /** The label that excludes its addresses; empty for none. */
    Optional<String> excludedBy() {
        return excludedBy;
    }

    /** All of them, in the API server's order, whether or not they count. */
    List<IpAddress> internalIps() {
        return internalIps;
    }

    /**
     * The address that it contributes to pools; null for none. Only the first of a family: the cloud provider's
     * reconcile of the Service removes any other again.
     */
    @Nullable
    IpAddress address(IpFamily family) {
        return family == IpFamily.IPV4 ? ipv4 : ipv6;
    }

    /**
     * Takes the state from the API server. A deleted node is seen, but without addresses.
     *
     * @param state null once the node was deleted
     * @return whether that can change any wanted set
     */
    boolean update(@Nullable NodeState state) {
        boolean wasSeen = isSeen();
        IpAddress before4 = ipv4;
        IpAddress before6 = ipv6;
        presence = state == null ? Presence.DELETED : Presence.PRESENT;
        spelling = state == null ? spelling : state.name();
        excludedBy = state == null ? Optional.empty() : excludingLabel(state);
        internalIps = state == null ? List.of() : internalIps(state);
        ipv4 = counted(IpFamily.IPV4);
        ipv6 = counted(IpFamily.IPV6);
        return !wasSeen || !Objects.equals(before4, ipv4) || !Objects.equals(before6, ipv6);
    }

    private static List<IpAddress> internalIps(NodeState state) {
        return state.internalIps().stream()
                .flatMap(text -> IpAddress.parse(text).stream())
                .toList();
    }

    private @Nullable IpAddress counted(IpFamily family) {
        return excludedBy.isPresent()
                ? null
                : internalIps.stream()
                        .filter(address -> address.family() == family)
                        .findFirst()
                        .orElse(null);
    }

    private static Optional<String> excludingLabel(NodeState state) {
        return NodeState.LABELS_THAT_EXCLUDE.stream()
                .filter(label -> excludes(label, state.labels().get(label)))
                .findFirst();
    }

    private static boolean excludes(String label, @Nullable String value) {
        return switch (label) {
            case NodeState.ROLE -> "master".equals(value);
            case NodeState.MANAGED -> "false".equalsIgnoreCase(value);
            default -> value != null;
        };
    }
}
