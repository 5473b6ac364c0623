package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.ports.PoolKey;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request, by its method and path.
 *
 * @param purpose {@link Purpose#READ} for any GET of a pool
 * @param pool the pool that it names, null for none
 * @param operation the id of the operation that it names, empty for none
 */
public record ArmRequest(Purpose purpose, @Nullable PoolKey pool, String operation) {

    private static final Pattern POOL = Pattern.compile(".*/loadBalancers/([^/]+)/backendAddressPools/([^/]+)");
    private static final Pattern OPERATION = Pattern.compile(".*/operation(?:s|Results)/([^/]+)");
    private static final Pattern LIST = Pattern.compile(".*/loadBalancers");

    public static ArmRequest of(HttpCall call) {
        String path = call.uri().getPath();
        Matcher pool = POOL.matcher(path);
        if (pool.matches()) {
            PoolKey key = PoolKey.of(pool.group(1), pool.group(2));
            return new ArmRequest(call.method().equals("GET") ? Purpose.READ : Purpose.WRITE, key, "");
        }
        Matcher operation = OPERATION.matcher(path);
        if (operation.matches()) {
            return new ArmRequest(Purpose.POLL, null, operation.group(1));
        }
        return new ArmRequest(LIST.matcher(path).matches() ? Purpose.LIST : Purpose.OTHER, null, "");
    }
}
