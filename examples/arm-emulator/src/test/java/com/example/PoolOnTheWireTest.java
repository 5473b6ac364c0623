package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmEmulatorExtension;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Any HTTP client against Azure Resource Manager on loopback: one refused write, then one that is done. */
@ExtendWith(ArmEmulatorExtension.class)
class PoolOnTheWireTest {

    private static final PoolKey POOL = PoolKey.of("kubernetes", "shop-web");

    @Test
    void a_write_is_refused_and_repeated(ArmEmulator arm) throws Exception {
        arm.cloud().putPool(POOL, AddressSet.empty());
        arm.faults().add(FaultRule.always(429).forMethod("PUT").times(1));

        assertEquals(429, put(arm).statusCode());
        assertEquals(201, put(arm).statusCode());
        assertEquals(AddressSet.of("10.0.0.4"), arm.cloud().addresses(POOL).orElseThrow());
    }

    private static HttpResponse<String> put(ArmEmulator arm) throws IOException, InterruptedException {
        URI pool = URI.create("%s/subscriptions/%s/resourceGroups/%s/providers/Microsoft.Network/loadBalancers/kubernetes/backendAddressPools/shop-web?api-version=2025-03-01"
                .formatted(arm.baseUri(), arm.subscription(), arm.resourceGroup()));
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(arm.sslContext()).build()) {
            String body = "{\"properties\": {\"loadBalancerBackendAddresses\":"
                    + " [{\"name\": \"n\", \"properties\": {\"ipAddress\": \"10.0.0.4\"}}]}}";
            return client.send(
                    HttpRequest.newBuilder(pool)
                            .header("Authorization", "Bearer any")
                            .PUT(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        }
    }
}
