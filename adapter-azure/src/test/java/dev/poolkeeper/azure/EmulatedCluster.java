package dev.poolkeeper.azure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Load balancers of two clusters in one resource group, and an adapter connected to their emulator. */
final class EmulatedCluster {

    private final ArmEmulator arm;
    private final HttpClient http;
    private final Time time;

    EmulatedCluster(ArmEmulator arm, Path folder, Time time) throws IOException {
        this.time = time;
        this.arm = arm;
        this.http = ArmHttp.clientTrusting(arm.writeCaCertificate(folder.resolve("ca.pem")));
    }

    /** Load balancers as {@code name} or {@code name tag=value}, each with one pool {@code shop-web}. */
    static Inventory inventory(String... loadBalancers) {
        String json = Arrays.stream(loadBalancers)
                .map(EmulatedCluster::loadBalancer)
                .collect(Collectors.joining(",", "{\"value\": [", "]}"));
        try {
            return Inventory.read(new ByteArrayInputStream(json.getBytes(UTF_8)), "inventory");
        } catch (BadInputException | IOException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    private static String loadBalancer(String text) {
        String[] parts = text.split(" ", -1);
        String[] tag = parts.length > 1 ? parts[1].split("=", -1) : new String[0];
        return """
            {"name": "%1$s", "id": "%2$s", "location": "westeurope", %3$s
             "properties": {"backendAddressPools": [
              {"name": "shop-web", "id": "%2$s/backendAddressPools/shop-web",
               "properties": {"loadBalancerBackendAddresses": [%4$s]}}]}}\
            """.formatted(
                        parts[0],
                        Bodies.poolPath(parts[0], "x").replace("/backendAddressPools/x", ""),
                        tag.length == 0 ? "" : "\"tags\": {\"%s\": \"%s\"},".formatted(tag[0], tag[1]),
                        Bodies.entry("10.0.0.4"));
    }

    AzureSettings settings() {
        return AzureSettings.of(
                AzureCloud.at(arm.baseUri(), arm.baseUri()), AzureScope.of(arm.subscription(), arm.resourceGroup()));
    }

    AzurePools pools(LoadBalancerSelection selection) {
        return builder(settings().withLoadBalancers(selection)).build();
    }

    AzurePoolsBuilder builder(AzureSettings settings) {
        return AzurePools.builder(settings, ArmHarness.TOKEN, http, time);
    }
}
