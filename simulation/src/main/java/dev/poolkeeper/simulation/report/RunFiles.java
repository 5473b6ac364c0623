package dev.poolkeeper.simulation.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.simulation.arm.FaultWindow;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.cluster.Sighting;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A recording of a run for {@code poolkeeper replay}: the cluster's changes, the initial load balancers, and those
 * faults of ARM that are an HTTP status. Crashes, clocks, watches and Leases are not part of it.
 */
public final class RunFiles {

    private final List<String> recording = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private final ObjectNode faults = JsonNodeFactory.instance.objectNode();
    private final ArrayNode rules = faults.putArray("rules");
    private String inventory = "";

    /** Records a change of the cluster. */
    public void changed(long nanos, Sighting change) {
        recording.add(WatchEvents.line(nanos / Timeline.MILLIS, known.add(change.uid()), change));
    }

    /** Records the start of a fault of ARM. */
    public void fault(long nanos, FaultWindow window) {
        int status = switch (window.fault()) {
            case THROTTLED_READS, THROTTLED_WRITES, RETRYABLE_ERROR -> 429;
            case SERVER_ERROR, BROWNOUT, ERROR_AFTER_EFFECT -> 500;
            case FORBIDDEN -> 403;
            case UNAUTHORIZED -> 401;
            case NOT_FOUND -> 404;
            case BUSY -> 409;
            default -> 0;
        };
        if (status == 0) {
            return;
        }
        boolean writes = switch (window.fault()) {
            case THROTTLED_WRITES, RETRYABLE_ERROR, ERROR_AFTER_EFFECT, BUSY -> true;
            default -> false;
        };
        ObjectNode rule = rules.addObject();
        rule.put("method", writes ? "PUT" : status == 429 ? "GET" : "*");
        rule.put(
                "loadBalancer",
                window.loadBalancer() == null ? "*" : window.loadBalancer().toString());
        rule.put("fromMillis", nanos / Timeline.MILLIS);
        rule.put("untilMillis", window.untilNanos() / Timeline.MILLIS);
        rule.put("status", status);
        String retryAfter = window.retryAfter();
        if (status == 429 && retryAfter != null && retryAfter.matches("[0-9]+")) {
            rule.put("retryAfterSeconds", Integer.parseInt(retryAfter));
        }
    }

    /** Records the current load balancers. */
    public void inventory(ResourceManager arm) {
        inventory = arm.inventory();
    }

    public List<String> recording() {
        return List.copyOf(recording);
    }

    public String inventory() {
        return inventory;
    }

    public String faults() {
        return faults.toPrettyString();
    }
}
