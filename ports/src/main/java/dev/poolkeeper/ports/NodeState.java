package dev.poolkeeper.ports;

import java.util.List;
import java.util.Map;

/**
 * The parts of a Node that the updater needs, as last reported by the API server.
 *
 * @param name its name
 * @param labels its labels, at least those in {@link #LABELS_THAT_EXCLUDE}
 * @param internalIps its addresses of type {@code InternalIP}, in order; texts that are not IP addresses are ignored
 */
public record NodeState(String name, Map<String, String> labels, List<String> internalIps) {

    /** Nodes with this label are not backends of load balancers. */
    public static final String EXCLUDE_FROM_EXTERNAL_LOAD_BALANCERS =
            "node.kubernetes.io/exclude-from-external-load-balancers";

    public static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
    public static final String MASTER = "node-role.kubernetes.io/master";

    /** Excludes a node with the value {@code master}. */
    public static final String ROLE = "kubernetes.io/role";

    /** Excludes a node with the value {@code false}, in any case. */
    public static final String MANAGED = "kubernetes.azure.com/managed";

    /** The labels that can exclude a node's addresses. */
    public static final List<String> LABELS_THAT_EXCLUDE =
            List.of(EXCLUDE_FROM_EXTERNAL_LOAD_BALANCERS, CONTROL_PLANE, MASTER, ROLE, MANAGED);

    public NodeState {
        labels = Map.copyOf(labels);
        internalIps = List.copyOf(internalIps);
    }
}
