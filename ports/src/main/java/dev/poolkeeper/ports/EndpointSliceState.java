package dev.poolkeeper.ports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the updater needs to know of an EndpointSlice, as the API server last said it.
 *
 * @param namespace its namespace
 * @param name its name
 * @param service the Service that the label {@code kubernetes.io/service-name} names, null where it names none
 * @param addressType {@code addressType}
 * @param nodeNames the {@code nodeName} of every endpoint that has one, whatever its conditions; may repeat
 */
public record EndpointSliceState(
        String namespace, String name, @Nullable ServiceName service, String addressType, List<String> nodeNames) {

    /** The label that names a slice's Service. */
    public static final String SERVICE_NAME_LABEL = "kubernetes.io/service-name";

    public EndpointSliceState {
        nodeNames = List.copyOf(nodeNames);
    }
}
