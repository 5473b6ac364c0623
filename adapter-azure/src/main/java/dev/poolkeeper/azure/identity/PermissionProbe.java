package dev.poolkeeper.azure.identity;

import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmEndpoint;
import dev.poolkeeper.azure.http.ArmExchange;
import dev.poolkeeper.azure.http.ArmPages;
import dev.poolkeeper.azure.http.ArmRequest;
import dev.poolkeeper.azure.http.Deadline;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks the permissions of our identity before the first write: on the load balancers' resource group and on the
 * virtual network, if one is configured, because a write that refers to it needs a permission there.
 *
 * <p>Source: <em>Permissions - List For Resource Group</em> and <em>- List For Resource</em> of Azure's authorization
 * API; Microsoft Learn, <em>Permissions for Microsoft.Network</em>.
 */
public final class PermissionProbe {

    /** The permission that the probe itself needs. */
    static final String ASK = "Microsoft.Authorization/permissions/read";

    private static final Map<String, String> AT_GROUP = inOrder(
            Map.entry("Microsoft.Network/loadBalancers/read", "find the load balancer of each pool"),
            Map.entry("Microsoft.Network/loadBalancers/backendAddressPools/read", "read a pool before it is written"),
            Map.entry("Microsoft.Network/loadBalancers/backendAddressPools/write", "write a pool"));
    private static final Map<String, String> AT_VNET = inOrder(Map.entry(
            "Microsoft.Network/virtualNetworks/joinLoadBalancer/action",
            "write a pool whose addresses are in this virtual network"));

    private static final String API_VERSION = "2022-04-01";

    private final ArmEndpoint endpoint;
    private final ArmExchange exchange;
    private final ArmPages pages;
    private final Duration deadline;
    private final String group;
    private final Optional<String> vnet;

    /**
     * @param deadline the total time it may take
     * @param group the id of the load balancers' resource group
     * @param vnet the id of the virtual network in writes; empty for none
     */
    public PermissionProbe(
            ArmEndpoint endpoint, ArmExchange exchange, Duration deadline, String group, Optional<String> vnet) {
        this.endpoint = endpoint;
        this.exchange = exchange;
        this.pages = new ArmPages(endpoint, exchange);
        this.deadline = deadline;
        this.group = group;
        this.vnet = vnet;
    }

    /** Runs the probe. Never throws. */
    public AzurePermissions probe() {
        Deadline end = exchange.deadline(deadline);
        List<AzurePermissions.Missing> missing = new ArrayList<>();
        List<AzurePermissions.Unknown> unknown = new ArrayList<>();
        probe(group, AT_GROUP, end, missing, unknown);
        vnet.ifPresent(id -> probe(id, AT_VNET, end, missing, unknown));
        return new AzurePermissions(missing, unknown);
    }

    private void probe(
            String id,
            Map<String, String> needed,
            Deadline end,
            List<AzurePermissions.Missing> missing,
            List<AzurePermissions.Unknown> unknown) {
        ArmRequest request = ArmRequest.get(
                ArmCall.Purpose.PROBE,
                null,
                endpoint.of(id + "/providers/Microsoft.Authorization/permissions", API_VERSION),
                end,
                CallContext.unbound());
        switch (pages.all(request, "the permissions at " + id, GrantedActions::of)) {
            case Reply.Failed<List<GrantedActions>>(Failure failure) ->
                unknown.add(new AzurePermissions.Unknown(
                        id,
                        "the permissions of this daemon's identity at %s could not be determined (this needs %s): %s"
                                .formatted(id, ASK, failure.describe())));
            case Reply.Ok<List<GrantedActions>>(List<GrantedActions> granted) ->
                needed.forEach((action, use) -> {
                    if (granted.stream().noneMatch(role -> role.grants(action))) {
                        missing.add(new AzurePermissions.Missing(action, id, use));
                    }
                });
        }
    }

    @SafeVarargs
    private static Map<String, String> inOrder(Map.Entry<String, String>... entries) {
        Map<String, String> map = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : entries) {
            map.put(entry.getKey(), entry.getValue());
        }
        return map;
    }
}
