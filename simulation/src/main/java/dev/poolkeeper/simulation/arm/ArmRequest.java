package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.ports.PoolKey;
import org.jspecify.annotations.Nullable;

/**
 * A request, classified by its method and path.
 *
 * @param purpose {@link Purpose#READ} for any GET of a pool
 * @param pool the pool in its path, null for none
 * @param operation the operation id in its path, empty for none
 */
public record ArmRequest(Purpose purpose, @Nullable PoolKey pool, String operation) {

    public static ArmRequest of(HttpCall call) {
        String[] path = call.uri().getPath().split("/", -1);
        int last = path.length - 1;
        if (path[last].equals("loadBalancers")) {
            return new ArmRequest(Purpose.LIST, null, "");
        }
        if (last >= 3 && path[last - 1].equals("backendAddressPools") && path[last - 3].equals("loadBalancers")) {
            PoolKey key = PoolKey.of(path[last - 2], path[last]);
            return new ArmRequest(call.method().equals("GET") ? Purpose.READ : Purpose.WRITE, key, "");
        }
        boolean isPoll =
                last >= 1 && (path[last - 1].equals("operations") || path[last - 1].equals("operationResults"));
        return isPoll ? new ArmRequest(Purpose.POLL, null, path[last]) : new ArmRequest(Purpose.OTHER, null, "");
    }
}
