package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.PoolKey;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The last known sizes of all pools of local Services.
 *
 * @param pools each pool's size
 * @param isAnyWanted whether a Service wants any address in any of them
 */
public record LocalPoolSizes(Map<PoolKey, Size> pools, boolean isAnyWanted) {

    /**
     * The size of a pool.
     *
     * @param namespace the namespace of the Services that share it; several are one name, as {@link #namespaceOf}
     *     builds
     * @param addresses the number of addresses that it holds
     */
    public record Size(String namespace, int addresses) {}

    /** One name for the namespaces of the Services that share a pool. */
    public static String namespaceOf(Stream<String> namespaces) {
        return namespaces.distinct().sorted().collect(Collectors.joining(", "));
    }
}
