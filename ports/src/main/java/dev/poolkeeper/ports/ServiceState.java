package dev.poolkeeper.ports;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the updater needs to know of a Service, as the API server last said it.
 *
 * <p>Of the annotations only two things are kept: whether one pauses the Service, and a fingerprint, so that a state
 * differs from the one before when an annotation was added, changed or removed. That is how somebody asks for another
 * look at a Service; a change of its status or labels alone is none.
 *
 * @param name its name
 * @param type {@code spec.type}, null where absent
 * @param externalTrafficPolicy {@code spec.externalTrafficPolicy}, null where absent
 * @param ipFamilies {@code spec.ipFamilies}, empty where absent
 * @param paused whether the annotation {@link #PAUSED_ANNOTATION} says that its pools are to be left alone
 * @param annotationsFingerprint of all annotations, names and values; 0 where there are none. Says nothing but whether
 *     they are the same
 * @param selector {@code spec.selector}, kept only where the readiness gate needs it; else empty
 */
public record ServiceState(
        ServiceName name,
        @Nullable String type,
        @Nullable String externalTrafficPolicy,
        List<String> ipFamilies,
        boolean paused,
        long annotationsFingerprint,
        Map<String, String> selector) {

    /** With the value {@code true}, in any case of letters, the pools of the Service are left alone. */
    public static final String PAUSED_ANNOTATION = "poolkeeper.dev/paused";

    public ServiceState {
        ipFamilies = List.copyOf(ipFamilies);
        selector = Map.copyOf(selector);
    }

    /** One whose selector was not kept. */
    public ServiceState(
            ServiceName name,
            @Nullable String type,
            @Nullable String externalTrafficPolicy,
            List<String> ipFamilies,
            boolean paused,
            long annotationsFingerprint) {
        this(name, type, externalTrafficPolicy, ipFamilies, paused, annotationsFingerprint, Map.of());
    }

    /** One without annotations. */
    public ServiceState(
            ServiceName name, @Nullable String type, @Nullable String externalTrafficPolicy, List<String> ipFamilies) {
        this(name, type, externalTrafficPolicy, ipFamilies, false, 0);
    }

    /** Whether it is of type LoadBalancer with {@code externalTrafficPolicy: Local}. */
    public boolean isLocal() {
        return "LoadBalancer".equals(type) && "Local".equals(externalTrafficPolicy);
    }

    /** The same Service with these annotations, all that it has. */
    public ServiceState withAnnotations(Map<String, String> annotations) {
        return new ServiceState(
                name,
                type,
                externalTrafficPolicy,
                ipFamilies,
                "true".equalsIgnoreCase(annotations.get(PAUSED_ANNOTATION)),
                annotations.isEmpty() ? 0 : fingerprint(annotations),
                selector);
    }

    /** The same Service with this selector. */
    public ServiceState withSelector(Map<String, String> newSelector) {
        return new ServiceState(
                name, type, externalTrafficPolicy, ipFamilies, paused, annotationsFingerprint, newSelector);
    }

    /** Eight bytes of SHA-256 over the sorted annotations, each text behind its length: no two sets look alike. */
    private static long fingerprint(Map<String, String> annotations) {
        MessageDigest digest = sha256();
        new TreeMap<>(annotations).forEach((name, value) -> {
            digest.update(lengthAndText(name));
            digest.update(lengthAndText(value));
        });
        return new BigInteger(digest.digest()).longValue();
    }

    /** Four bytes of length, two for each character. */
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
