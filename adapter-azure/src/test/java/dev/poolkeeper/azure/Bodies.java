package dev.poolkeeper.azure;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Bodies as ARM sends them. */
final class Bodies {

    static final String SUBSCRIPTION = "11111111-2222-3333-4444-555555555555";
    static final String GROUP = "mc_rg_demo_westeurope";
    static final String ETAG = "W/\\\"94abcb2d-2773-df65-cda0-708afd551ea2\\\"";
    static final String ETAG_VALUE = ETAG.replace("\\", "");
    static final String VNET = "/subscriptions/" + SUBSCRIPTION + "/resourceGroups/" + GROUP
            + "/providers/Microsoft.Network/virtualNetworks/aks-vnet-34567890";

    private Bodies() {}

    static String poolPath(String loadBalancer, String pool) {
        return "/subscriptions/" + SUBSCRIPTION + "/resourceGroups/" + GROUP
                + "/providers/Microsoft.Network/loadBalancers/" + loadBalancer + "/backendAddressPools/" + pool;
    }

    /** A pool of {@code lb-2} with further properties, each ending in a comma. */
    static String poolIn(String state, String more, String... addresses) {
        return """
            {"name": "shop-web", "id": "%s", "etag": "%s", "type": "Microsoft.Network/loadBalancers/backendAddressPools",
             "properties": {%s "provisioningState": "%s", "loadBalancerBackendAddresses": [%s],
             "loadBalancingRules": []}}\
            """.formatted(
                        poolPath("lb-2", "shop-web"),
                        ETAG,
                        more,
                        state,
                        Arrays.stream(addresses).map(Bodies::entry).collect(Collectors.joining(",")));
    }

    static String pool(String... addresses) {
        return poolIn("Succeeded", "\"virtualNetwork\": {\"id\": \"" + VNET + "\"},", addresses);
    }

    static String entry(String address) {
        return "{\"name\": \"node-%s\", \"properties\": {\"ipAddress\": \"%s\"}}".formatted(address, address);
    }

    static String error(String code, String message) {
        return "{\"error\": {\"code\": \"%s\", \"message\": \"%s\"}}".formatted(code, message);
    }

    /** Everything that the API version defines as writable. */
    static String everything() {
        return """
            {"name": "shop-web", "id": "%s", "etag": "%s", "type": "Microsoft.Network/loadBalancers/backendAddressPools",
             "properties": {"provisioningState": "Succeeded", "location": "westeurope", "drainPeriodInSeconds": 30,
             "virtualNetwork": {"id": "%s"}, "syncMode": "Manual",
             "tunnelInterfaces": [{"port": 10800, "identifier": 800, "protocol": "VXLAN", "type": "Internal"}],
             "loadBalancerBackendAddresses": [
              {"name": "a", "properties": {"ipAddress": "10.0.0.4", "virtualNetwork": {"id": "%s"},
               "subnet": {"id": "%s/subnets/s"}, "adminState": "Drain",
               "loadBalancerFrontendIPConfiguration": {"id": "/frontend"}}},
              {"name": "b", "properties": {"ipAddress": "10.0.0.5", "adminState": "Up"}},
              {"name": "c", "properties": {"ipAddress": "FD12:0::5"}}],
             "backendIPConfigurations": [{"id": "/nic"}], "loadBalancingRules": [{"id": "/rule"}]}}\
            """.formatted(poolPath("lb-2", "shop-web"), ETAG, VNET, VNET, VNET);
    }
}
