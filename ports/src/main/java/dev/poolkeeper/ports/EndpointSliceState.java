package dev.poolkeeper.ports;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the updater needs to know of an EndpointSlice, as the API server last said it.
 *
 * @param namespace its namespace
 * @param name its name
 * @param service the Service that the label {@code kubernetes.io/service-name} names, null where it names none
 * @param addressType {@code addressType}
 * @param nodeNames the {@code nodeName} of every endpoint that has one, whatever its conditions; may repeat
 * @param podUids the uids of the Pods that its endpoints refer to, kept only where the readiness gate needs them; else
 *     empty
 */
public record EndpointSliceState(
        String namespace,
        String name,
        @Nullable ServiceName service,
        String addressType,
        List<String> nodeNames,
        Set<String> podUids) {

    /** The label that names a slice's Service. */
    public static final String SERVICE_NAME_LABEL = "kubernetes.io/service-name";

    public EndpointSliceState {
        nodeNames = List.copyOf(nodeNames);
        podUids = Set.copyOf(podUids);
    }

    /** One whose Pods were not kept. */
    public EndpointSliceState(
            String namespace, String name, @Nullable ServiceName service, String addressType, List<String> nodeNames) {
        this(namespace, name, service, addressType, nodeNames, Set.of());
    }
}
