package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.input.BadInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Inventories for tests. */
final class Inventories {

    static final String SUBSCRIPTION = "11111111-2222-3333-4444-555555555555";

    private Inventories() {}

    /** Load balancers {@code Kubernetes} with the pools {@code shop-web} and {@code shop-api}, and {@code other}. */
    static Inventory two() {
        return of("""
            {"value": [
             {"name": "Kubernetes", "id": "%1$s/Kubernetes", "etag": "W/\\"lb\\"", "location": "westeurope",
              "sku": {"name": "Standard", "tier": "Regional"}, "tags": {"team": "edge"},
              "properties": {"provisioningState": "Succeeded",
               "frontendIPConfigurations": [{"name": "fe", "etag": "W/\\"fe\\"", "id": "%1$s/Kubernetes/frontendIPConfigurations/fe"}],
               "backendAddressPools": [
                {"name": "shop-web", "id": "%1$s/Kubernetes/backendAddressPools/shop-web", "etag": "W/\\"web\\"",
                 "properties": {"provisioningState": "Succeeded", "syncMode": "Manual", "drainPeriodInSeconds": 30,
                  "virtualNetwork": {"id": "/vnet"}, "loadBalancingRules": [{"id": "/rule"}],
                  "loadBalancerBackendAddresses": [
                   {"name": "node-0", "properties": {"ipAddress": "10.0.0.4", "adminState": "None",
                    "networkInterfaceIPConfiguration": {"id": "/nic"}}}]}},
                {"name": "shop-api", "id": "%1$s/Kubernetes/backendAddressPools/shop-api", "etag": "W/\\"api\\"",
                 "properties": {"loadBalancerBackendAddresses": []}}]}},
             {"name": "other", "id": "%1$s/other", "properties": {"backendAddressPools": []}}]}
            """.formatted("/subscriptions/" + SUBSCRIPTION
                + "/resourceGroups/mc_rg/providers/Microsoft.Network/loadBalancers"));
    }

    static Inventory of(String json) {
        try {
            return Inventory.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), "inventory");
        } catch (BadInputException e) {
            throw new IllegalArgumentException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
