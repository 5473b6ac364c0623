package dev.poolkeeper.ports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the updater needs to know of a Service, as the API server last said it.
 *
 * @param name its name
 * @param type {@code spec.type}, null where absent
 * @param externalTrafficPolicy {@code spec.externalTrafficPolicy}, null where absent
 * @param ipFamilies {@code spec.ipFamilies}, empty where absent
 */
public record ServiceState(
        ServiceName name, @Nullable String type, @Nullable String externalTrafficPolicy, List<String> ipFamilies) {

    public ServiceState {
        ipFamilies = List.copyOf(ipFamilies);
    }
}
