package dev.poolkeeper.ports;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a Service that the updater needs, as last reported by the API server.
 *
 * <p>Of the annotations it keeps only whether one pauses the Service, and a fingerprint that changes when an annotation
 * is added, changed or removed. Editing an annotation thus requests another comparison of the Service; a change of only
 * its status or labels does not.
 *
 * @param name its name
 * @param type {@code spec.type}; null if absent
 * @param externalTrafficPolicy {@code spec.externalTrafficPolicy}; null if absent
 * @param ipFamilies {@code spec.ipFamilies}; empty if absent
 * @param loadBalancerClass {@code spec.loadBalancerClass}; null if absent
 * @param createdAt {@code metadata.creationTimestamp}; null if absent
 * @param paused whether the annotation {@link #PAUSED_ANNOTATION} pauses its pools
 * @param annotationsFingerprint fingerprint of the names and values of all annotations; 0 if there are none. Meaningful
 *     only for comparison
 * @param selector {@code spec.selector}; empty unless the readiness gate needs it
 */
public record ServiceState(
        ServiceName name,
        @Nullable String type,
        @Nullable String externalTrafficPolicy,
        List<String> ipFamilies,
        @Nullable String loadBalancerClass,
        @Nullable Instant createdAt,
        boolean paused,
        long annotationsFingerprint,
        Map<String, String> selector) {

    /** With the value {@code true}, case-insensitive, the pools of the Service are paused. */
    public static final String PAUSED_ANNOTATION = "poolkeeper.dev/paused";

    public ServiceState {
        ipFamilies = List.copyOf(ipFamilies);
        selector = Map.copyOf(selector);
    }

    /** A Service without annotations. */
    public ServiceState(
            ServiceName name,
            @Nullable String type,
            @Nullable String externalTrafficPolicy,
            List<String> ipFamilies,
            @Nullable String loadBalancerClass,
            @Nullable Instant createdAt,
            Map<String, String> selector) {
        this(name, type, externalTrafficPolicy, ipFamilies, loadBalancerClass, createdAt, false, 0, selector);
    }

    /** A Service without annotations, a load balancer class, a creation time and a selector. */
    public ServiceState(
            ServiceName name, @Nullable String type, @Nullable String externalTrafficPolicy, List<String> ipFamilies) {
        this(name, type, externalTrafficPolicy, ipFamilies, null, null, Map.of());
    }

    /**
     * Whether it is of type LoadBalancer with {@code externalTrafficPolicy: Local}, and without a class: a Service with
     * one belongs to another implementation of load balancers, and the cloud provider leaves it alone.
     */
    public boolean isLocal() {
        return "LoadBalancer".equals(type)
                && "Local".equals(externalTrafficPolicy)
                && (loadBalancerClass == null || loadBalancerClass.isEmpty());
    }

    /** The same Service with exactly these annotations. */
    public ServiceState withAnnotations(Map<String, String> annotations) {
        return new ServiceState(
                name,
                type,
                externalTrafficPolicy,
                ipFamilies,
                loadBalancerClass,
                createdAt,
                "true".equalsIgnoreCase(annotations.get(PAUSED_ANNOTATION)),
                annotations.isEmpty() ? 0 : fingerprint(annotations),
                selector);
    }

    /**
     * FNV-1a, 64 bits, over the sorted annotations; each text follows its length, as a value may hold any character.
     */
    private static long fingerprint(Map<String, String> annotations) {
        long hash = 0xcbf29ce484222325L;
        for (Map.Entry<String, String> one : new TreeMap<>(annotations).entrySet()) {
            String name = one.getKey();
            String value = one.getValue();
            String text = name.length() + "," + name + value.length() + "," + value;
            for (int i = 0; i < text.length(); i++) {
                hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
            }
        }
        return hash;
    }
}
