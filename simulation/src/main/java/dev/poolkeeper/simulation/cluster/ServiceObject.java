package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.ports.ServiceName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Service, as its clients see it.
 *
 * @param name its name
 * @param type {@code spec.type}
 * @param externalTrafficPolicy {@code spec.externalTrafficPolicy}
 * @param ipFamilies {@code spec.ipFamilies}
 * @param loadBalancerClass {@code spec.loadBalancerClass}; empty if absent
 * @param annotations its annotations, without those of the simulation
 * @param created {@code metadata.creationTimestamp}; empty if it does not exist yet
 */
public record ServiceObject(
        ServiceName name,
        String type,
        String externalTrafficPolicy,
        List<String> ipFamilies,
        String loadBalancerClass,
        Map<String, String> annotations,
        String created) {

    /** With the value {@code true}, case-insensitive, the pools of a Service are paused; as documented. */
    public static final String PAUSED = "poolkeeper.dev/paused";

    public ServiceObject {
        ipFamilies = List.copyOf(ipFamilies);
        annotations = Collections.unmodifiableMap(new TreeMap<>(annotations)); // printed in the same order by every JVM
    }

    /** A local Service. */
    public static ServiceObject local(ServiceName name, List<String> ipFamilies) {
        return new ServiceObject(name, "LoadBalancer", "Local", ipFamilies, "", Map.of(), "");
    }

    /** Whether an annotation pauses its pools. */
    public boolean paused() {
        return "true".equalsIgnoreCase(annotations.get(PAUSED));
    }

    public ServiceObject withPolicy(String policy) {
        return new ServiceObject(name, type, policy, ipFamilies, loadBalancerClass, annotations, created);
    }

    public ServiceObject withClass(String ofLoadBalancer) {
        return new ServiceObject(name, type, externalTrafficPolicy, ipFamilies, ofLoadBalancer, annotations, created);
    }

    /** With exactly these annotations. */
    public ServiceObject withAnnotations(Map<String, String> exactly) {
        return new ServiceObject(name, type, externalTrafficPolicy, ipFamilies, loadBalancerClass, exactly, created);
    }

    ServiceObject createdAt(String time) {
        return new ServiceObject(name, type, externalTrafficPolicy, ipFamilies, loadBalancerClass, annotations, time);
    }
}
