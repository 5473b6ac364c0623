package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.Unwritable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out from a pool's JSON whether it must not be written. */
final class WriteRefusal {

    private WriteRefusal() {}

    /** The reason from a pool's properties as sent by ARM; empty if the pool may be written. */
    static Optional<Unwritable> of(Map<?, ?> properties) {
        List<?> configurations = list(properties.get("backendIPConfigurations"));
        if (configurations.stream().anyMatch(WriteRefusal::isPrivateLink)) {
            return Optional.of(Unwritable.PRIVATE_LINK);
        }
        List<?> entries = list(properties.get("loadBalancerBackendAddresses"));
        if (entries.stream().anyMatch(WriteRefusal::isFrontend)) {
            return Optional.of(Unwritable.CROSS_REGION);
        }
        if (entries.stream().anyMatch(entry -> PoolReader.ipAddress(entry) == null)
                || entries.isEmpty() && !configurations.isEmpty()) {
            return Optional.of(Unwritable.NETWORK_INTERFACES);
        }
        if (properties.get("syncMode") instanceof String mode && mode.equalsIgnoreCase("Automatic")) {
            return Optional.of(Unwritable.AUTOMATIC);
        }
        return Optional.empty();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static boolean isFrontend(@Nullable Object entry) {
        return PoolReader.ipAddress(entry) == null && has(entry, "loadBalancerFrontendIPConfiguration");
    }

    private static boolean isPrivateLink(@Nullable Object configuration) {
        return has(configuration, "privateLinkConnectionProperties");
    }

    private static boolean has(@Nullable Object resource, String property) {
        return resource instanceof Map<?, ?> map
                && map.get("properties") instanceof Map<?, ?> properties
                && properties.get(property) != null;
    }
}
