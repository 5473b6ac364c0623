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

    /**
     * Numbers of the Services whose slices name this node. Bits rather than references: those of benchmark F take 1.3
     * MB, a set of references for each node would take 100 MB.
     */
    final BitSet users = new BitSet();

    /** The last look that came across it in a slice of each family. */
    private @Nullable Look lastLook4;

    private @Nullable Look lastLook6;

    /** Null before the API server reported it, and after its deletion. */
    private @Nullable NodeState state;

    private boolean isSeen;
    private @Nullable IpAddress ipv4;
    private @Nullable IpAddress ipv6;

    NodeEntry(String name) {
        this.name = name;
    }

    /** A slice of this family names it. Returns whether this look had not come across it in that family. */
    boolean mark(Look look, IpFamily family) {
        boolean isFirst = !isMarkedBy(look, family);
        if (family == IpFamily.IPV4) {
            lastLook4 = look;
        } else {
            lastLook6 = look;
        }
        return isFirst;
    }

    /** Whether this was the last look that came across it in a slice of this family. */
    boolean isMarkedBy(Look look, IpFamily family) {
        return look.equals(family == IpFamily.IPV4 ? lastLook4 : lastLook6);
    }

    /** Whether the API server ever reported this node, including its deletion. */
    boolean isSeen() {
        return isSeen;
    }

    Presence presence() {
        return state != null ? Presence.PRESENT : isSeen ? Presence.DELETED : Presence.UNKNOWN;
    }

    /** Whether no Node has this name and no slice names it. */
    boolean isForgettable() {
        return state == null && users.isEmpty();
    }

    /** Its name as the API server writes it. */
    String spelling() {
        return state == null ? name : state.name();
    }

    /** All of them, in the API server's order, whether or not they count. */
    List<IpAddress> internalIps() {
        return state == null
                ? List.of()
                : state.internalIps().stream()
                        .flatMap(text -> IpAddress.parse(text).stream())
                        .toList();
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
     * @param now null once the node was deleted
     * @return whether that can change any wanted set
     */
    boolean update(@Nullable NodeState now) {
        boolean wasSeen = isSeen;
        IpAddress before4 = ipv4;
        IpAddress before6 = ipv6;
        state = now;
        isSeen = true;
        ipv4 = counted(IpFamily.IPV4);
        ipv6 = counted(IpFamily.IPV6);
        return !wasSeen || !Objects.equals(before4, ipv4) || !Objects.equals(before6, ipv6);
    }

    private @Nullable IpAddress counted(IpFamily family) {
        return excludedBy().isPresent()
                ? null
                : internalIps().stream()
                        .filter(address -> address.family() == family)
                        .findFirst()
                        .orElse(null);
    }

    /** The label that excludes its addresses; empty for none. */
    Optional<String> excludedBy() {
        NodeState current = state;
        return current == null
                ? Optional.empty()
                : NodeState.LABELS_THAT_EXCLUDE.stream()
                        .filter(label -> excludes(label, current.labels().get(label)))
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
