package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmEndpoint;
import dev.poolkeeper.azure.http.ArmRequest;
import dev.poolkeeper.azure.http.Deadline;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;

/** The requests for one resource group's load balancers and their pools. Immutable. */
final class PoolRequests {

    private final ArmEndpoint endpoint;
    private final String loadBalancers;
    private final String apiVersion;

    /**
     * @param group the id of the resource group
     * @param apiVersion the version of {@code Microsoft.Network}, which defines the fields of pools
     */
    PoolRequests(ArmEndpoint endpoint, String group, String apiVersion) {
        this.apiVersion = apiVersion;
        this.endpoint = endpoint;
        this.loadBalancers = group + "/providers/Microsoft.Network/loadBalancers";
    }

    ArmRequest list(Deadline deadline) {
        return ArmRequest.get(
                ArmCall.Purpose.LIST, null, endpoint.of(loadBalancers, apiVersion), deadline, CallContext.unbound());
    }

    ArmRequest read(PoolKey pool, Deadline deadline, CallContext context) {
        return ArmRequest.get(ArmCall.Purpose.READ, pool.loadBalancer(), addressOf(pool), deadline, context);
    }

    ArmRequest write(PoolKey pool, ArmRequest.Update update, Deadline deadline, CallContext context) {
        return ArmRequest.put(pool.loadBalancer(), addressOf(pool), update, deadline, context);
    }

    /** Polls a pool after a write. */
    ArmRequest pollPool(PoolKey pool, Deadline deadline, CallContext context) {
        return poll(pool.loadBalancer(), addressOf(pool), deadline, context);
    }

    /** Polls an operation at the URL that ARM returned. */
    ArmRequest poll(ArmName loadBalancer, String address, Deadline deadline, CallContext context) {
        return ArmRequest.get(ArmCall.Purpose.POLL, loadBalancer, address, deadline, context);
    }

    /** Whether a token may be sent to a URL that ARM returned. */
    boolean isTrusted(String address) {
        return endpoint.isTrusted(address);
    }

    private String addressOf(PoolKey pool) {
        return endpoint.of(
                "%s/%s/backendAddressPools/%s".formatted(loadBalancers, pool.loadBalancer(), pool.pool()), apiVersion);
    }
}
