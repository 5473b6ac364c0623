package dev.poolkeeper.ports;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an EndpointSlice that the updater needs, as last reported by the API server.
 *
 * @param namespace its namespace
 * @param name its name
 * @param service the Service in the label {@code kubernetes.io/service-name}; null if there is none
 * @param addressType {@code addressType}
 * @param nodeNames the {@code nodeName} of every endpoint that has one, regardless of conditions; may contain
 *     duplicates
 * @param podUids the uids of the Pods that its endpoints refer to; empty unless the readiness gate needs them
 */
public record EndpointSliceState(
        String namespace,
        String name,
        @Nullable ServiceName service,
        String addressType,
        List<String> nodeNames,
        Set<String> podUids) {

    /** The label with the name of a slice's Service. */
    public static final String SERVICE_NAME_LABEL = "kubernetes.io/service-name";

    public EndpointSliceState {
        nodeNames = List.copyOf(nodeNames);
        podUids = Set.copyOf(podUids);
    }

    /** The IP family of its endpoints; empty if its address type is another one. */
    public Optional<IpFamily> family() {
        return switch (addressType) {
            case "IPv4" -> Optional.of(IpFamily.IPV4);
            case "IPv6" -> Optional.of(IpFamily.IPV6);
            default -> Optional.empty();
        };
    }

    /** A slice without Pod uids. */
    public EndpointSliceState(
            String namespace, String name, @Nullable ServiceName service, String addressType, List<String> nodeNames) {
        this(namespace, name, service, addressType, nodeNames, Set.of());
    }
}
