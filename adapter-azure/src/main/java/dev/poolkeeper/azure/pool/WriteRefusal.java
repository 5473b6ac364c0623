package dev.poolkeeper.azure.pool;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Why a pool must not be written, with the remedy. */
final class WriteRefusal {

    private static final String NIC_BASED = "the pool holds network interfaces instead of IP addresses: set"
            + " loadBalancerBackendPoolConfigurationType to nodeIP and migrate the pool to IP addresses";

    private static final String CROSS_REGION =
            "the pool holds frontends of regional load balancers, as in a cross-region"
                    + " load balancer: use a regional load balancer for this Service";

    private static final String AUTOMATIC = "the pool's syncMode is Automatic, so Azure itself manages its members: set"
            + " syncMode to Manual, or create the pool again without it";

    private static final String PRIVATE_LINK = "the pool holds private endpoints of Private Link: use a load balancer"
            + " without Private Link for this Service";

    private WriteRefusal() {}

    /** The reason from a pool's properties as sent by ARM; empty if the pool may be written. */
    static Optional<String> of(Map<?, ?> properties) {
        List<?> configurations = list(properties.get("backendIPConfigurations"));
        if (configurations.stream().anyMatch(WriteRefusal::isPrivateLink)) {
            return Optional.of(PRIVATE_LINK);
        }
        List<?> entries = list(properties.get("loadBalancerBackendAddresses"));
        if (entries.stream().anyMatch(WriteRefusal::isFrontend)) {
            return Optional.of(CROSS_REGION);
        }
        if (entries.stream().anyMatch(entry -> PoolReader.ipAddress(entry) == null)
                || entries.isEmpty() && !configurations.isEmpty()) {
            return Optional.of(NIC_BASED);
        }
        if (properties.get("syncMode") instanceof String mode && mode.equalsIgnoreCase("Automatic")) {
            return Optional.of(AUTOMATIC);
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
