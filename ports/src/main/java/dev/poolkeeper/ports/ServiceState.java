package dev.poolkeeper.ports;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

    /** A Service without a load balancer class, a creation time and a selector. */
    public ServiceState(
            ServiceName name,
            @Nullable String type,
            @Nullable String externalTrafficPolicy,
            List<String> ipFamilies,
            boolean paused,
            long annotationsFingerprint) {
        this(name, type, externalTrafficPolicy, ipFamilies, null, null, paused, annotationsFingerprint, Map.of());
    }

    /** A Service without annotations. */
    public ServiceState(
            ServiceName name, @Nullable String type, @Nullable String externalTrafficPolicy, List<String> ipFamilies) {
        this(name, type, externalTrafficPolicy, ipFamilies, false, 0);
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

    /** The same Service with this load balancer class; null for none. */
    public ServiceState withLoadBalancerClass(@Nullable String newClass) {
        return new ServiceState(
                name,
                type,
                externalTrafficPolicy,
                ipFamilies,
                newClass,
                createdAt,
                paused,
                annotationsFingerprint,
                selector);
    }

    /** The same Service with this creation time; null for none. */
    public ServiceState withCreatedAt(@Nullable Instant newTime) {
        return new ServiceState(
                name,
                type,
                externalTrafficPolicy,
                ipFamilies,
                loadBalancerClass,
                newTime,
                paused,
                annotationsFingerprint,
                selector);
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

    /** The same Service with this selector. */
    public ServiceState withSelector(Map<String, String> newSelector) {
        return new ServiceState(
                name,
                type,
                externalTrafficPolicy,
                ipFamilies,
                loadBalancerClass,
                createdAt,
                paused,
                annotationsFingerprint,
                newSelector);
    }

    /**
     * Eight bytes of SHA-256 over the sorted annotations. Each text is prefixed with its length, so that different
     * annotations never concatenate to the same input.
     */
    private static long fingerprint(Map<String, String> annotations) {
        MessageDigest digest = sha256();
        new TreeMap<>(annotations).forEach((name, value) -> {
            digest.update(lengthAndText(name));
            digest.update(lengthAndText(value));
        });
        return new BigInteger(digest.digest()).longValue();
    }

    /** Four bytes for the length, then two per character. */
    private static byte[] lengthAndText(String text) {
        byte[] bytes = new byte[4 + 2 * text.length()];
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) (text.length() >> 8 * i);
        }
        for (int i = 0; i < text.length(); i++) {
            bytes[4 + 2 * i] = (byte) (text.charAt(i) >> 8);
            bytes[5 + 2 * i] = (byte) text.charAt(i);
        }
        return bytes;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
