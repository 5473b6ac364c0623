package dev.poolkeeper.azure;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a pool must not be written, with the remedy.
 *
 * @param reason null where it may be written
 */
record WriteRefusal(@Nullable String reason) {

    private static final WriteRefusal NONE = new WriteRefusal(null);

    private static final String NIC_BASED = "the pool holds network interfaces instead of IP addresses: set"
            + " loadBalancerBackendPoolConfigurationType to nodeIP and migrate the pool to IP addresses";

    private static final String AUTOMATIC = "the pool's syncMode is Automatic, so Azure itself keeps its members: set"
            + " syncMode to Manual, or make the pool anew without it";

    private static final String PRIVATE_LINK = "the pool holds private endpoints of Private Link: use a load balancer"
            + " without Private Link for this Service";

    Optional<String> asOptional() {
        return Optional.ofNullable(reason);
    }

    /** By a pool's properties as ARM sent them. */
    static WriteRefusal of(Map<?, ?> properties) {
        List<?> configurations = properties.get("backendIPConfigurations") instanceof List<?> list ? list : List.of();
        if (configurations.stream().anyMatch(WriteRefusal::isPrivateLink)) {
            return new WriteRefusal(PRIVATE_LINK);
        }
        List<?> entries = properties.get("loadBalancerBackendAddresses") instanceof List<?> list ? list : List.of();
        if (entries.stream().anyMatch(entry -> PoolReader.ipAddress(entry) == null)
                || entries.isEmpty() && !configurations.isEmpty()) {
            return new WriteRefusal(NIC_BASED);
        }
        if (properties.get("syncMode") instanceof String mode && mode.equalsIgnoreCase("Automatic")) {
            return new WriteRefusal(AUTOMATIC);
        }
        return NONE;
    }

    private static boolean isPrivateLink(@Nullable Object configuration) {
        return configuration instanceof Map<?, ?> map
                && map.get("properties") instanceof Map<?, ?> properties
                && properties.get("privateLinkConnectionProperties") != null;
    }
}
