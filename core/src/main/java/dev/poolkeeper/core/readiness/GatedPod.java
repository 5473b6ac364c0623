package dev.poolkeeper.core.readiness;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ServiceName;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A Pod that waits for its gate, and its Services: those in its namespace whose selector matches its labels, and those
 * whose EndpointSlices contain its uid, of any type.
 *
 * @param pod the Pod
 * @param services each with the families in which one of its slices lists the Pod
 */
public record GatedPod(PodState pod, SortedMap<ServiceName, Set<IpFamily>> services) {

    public GatedPod {
        requireNonNull(pod, "pod");
        services = Collections.unmodifiableSortedMap(new TreeMap<>(services));
    }
}
