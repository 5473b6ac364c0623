package dev.poolkeeper.azure;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks what our identity may do, before the first write would tell: at the load balancers' resource group, and at the
 * virtual network where one is configured, because a write that names it needs a permission there.
 *
 * <p>Source: <em>Permissions - List For Resource Group</em> and <em>- List For Resource</em> of Azure's authorization
 * API; Microsoft Learn, <em>Permissions for Microsoft.Network</em>.
 */
final class PermissionProbe {

    /** What the probe itself takes. */
    static final String ASK = "Microsoft.Authorization/permissions/read";

    private static final Map<String, String> AT_GROUP = inOrder(
            Map.entry("Microsoft.Network/loadBalancers/read", "find which load balancer holds which pool"),
            Map.entry("Microsoft.Network/loadBalancers/backendAddressPools/read", "read a pool before it is written"),
            Map.entry("Microsoft.Network/loadBalancers/backendAddressPools/write", "write a pool"));
    private static final Map<String, String> AT_VNET = inOrder(Map.entry(
            "Microsoft.Network/virtualNetworks/joinLoadBalancer/action",
            "write a pool whose addresses are in this virtual network"));

    private final ArmClient client;
    private final ArmPages pages;
    private final AzureScope scope;

    PermissionProbe(ArmClient client, ArmPages pages, AzureScope scope) {
        this.client = client;
        this.pages = pages;
        this.scope = scope;
    }

    AzurePermissions probe(Deadline deadline) {
        List<AzurePermissions.Missing> missing = new ArrayList<>();
        List<String> untold = new ArrayList<>();
        probe(scope.loadBalancerGroupId(), AT_GROUP, deadline, missing, untold);
        scope.vnetId().ifPresent(vnet -> probe(vnet, AT_VNET, deadline, missing, untold));
        return new AzurePermissions(missing, untold);
    }

    private void probe(
            String id,
            Map<String, String> needed,
            Deadline deadline,
            List<AzurePermissions.Missing> missing,
            List<String> untold) {
        ArmRequest request = ArmRequest.of(ArmCall.Purpose.PROBE, null, deadline);
        switch (pages.all(
                request,
                "the permissions at " + id,
                link -> client.poll(link == null ? client.permissionsOf(id) : link),
                GrantedActions::list)) {
            case Reply.Failed<List<GrantedActions>>(Failure failure) ->
                untold.add("what this daemon's identity may do at %s could not be told (it takes %s): %s"
                        .formatted(id, ASK, failure.describe()));
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
