package dev.poolkeeper.app.status;

import dev.poolkeeper.core.cluster.NodeReport;
import dev.poolkeeper.core.cluster.NodeReport.Presence;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/**
 * Whether a node is in a Service's pool, and why.
 *
 * @param node the node as requested
 * @param service the Service
 * @param pool its pool
 * @param wanted whether the pool should contain an address of the node
 * @param held whether the pool contained one when it was last read
 * @param text a readable explanation
 */
public record NodeAnswer(String node, ServiceName service, PoolKey pool, boolean wanted, boolean held, String text) {

    static NodeAnswer of(String node, ServiceName service, PoolStatus pool, NodeReport report) {
        AddressSet holds = pool.known().map(KnownPool::addresses).orElse(AddressSet.empty());
        boolean wanted = pool.wanted().common(report.addresses()) > 0;
        boolean held = holds.common(report.addresses()) > 0;
        String text = why(report, wanted) + location(pool, wanted, held);
        return new NodeAnswer(node, service, pool.pool(), wanted, held, text);
    }

    private static String why(NodeReport report, boolean wanted) {
        String slices = String.join(", ", report.slices());
        String obstacle = obstacle(report, slices);
        if (obstacle.isEmpty()) {
            return "Wanted: EndpointSlice %s names the node, whose address is %s."
                    .formatted(slices, report.addresses());
        }
        return obstacle
                + (wanted ? " It stays for another Service of the pool, or until the wanted set is complete." : "");
    }

    /** Why the node's addresses do not count for the Service; empty if they do. */
    private static String obstacle(NodeReport report, String slices) {
        if (report.presence() == Presence.UNKNOWN) {
            return "Unknown: there is no node of this name in the cluster"
                    + (slices.isEmpty() ? "." : ", though EndpointSlice " + slices + " refers to it.");
        }
        if (report.presence() == Presence.DELETED) {
            return "Not wanted: the node was deleted.";
        }
        if (report.excludedBy().isPresent()) {
            return "Not wanted: the node is excluded by its label %s."
                    .formatted(report.excludedBy().get());
        }
        if (report.addresses().isEmpty()) {
            return "Not wanted: the node has no InternalIP of the pool's IP family.";
        }
        return slices.isEmpty() ? "Not wanted: no EndpointSlice of the Service names the node." : "";
    }

    private static String location(PoolStatus pool, boolean wanted, boolean held) {
        if (wanted == held) {
            return held ? " It is in the pool." : " It is not in the pool.";
        }
        return (held ? " It is still in the pool. " : " It is not in the pool yet. ")
                + pool.difference().map(NodeAnswer::words).orElse("The next comparison will find this difference.");
    }

    private static String words(Difference difference) {
        return difference.text()
                + difference.until().map(until -> " Until " + until + ".").orElse("") + " " + difference.remedy();
    }
}
