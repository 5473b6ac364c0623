package dev.poolkeeper.emulators.arm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of docs/testing.md, which must be identical to this code. */
// example begins
class ArmEmulatorExampleTest {

    @RegisterExtension
    final ArmEmulatorExtension arm = ArmEmulatorExtension.with(Inventory.EMPTY);

    @Test
    void a_refused_write_is_logged() throws Exception {
        arm.emulator().cloud().putPool(PoolKey.of("kubernetes", "shop-web"), AddressSet.of("10.0.0.4"));
        arm.emulator().faults().add(FaultRule.always(409).forMethod("PUT").times(1));

        HttpResponse<String> answer = put("""
            {"properties": {"loadBalancerBackendAddresses": []}}\
            """);

        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(arm.emulator().requests())
                .singleElement()
                .satisfies(request -> assertThat(request.pool()).isEqualTo("shop-web"));
    }

    private HttpResponse<String> put(String body) throws Exception {
        ArmEmulator emulator = arm.emulator();
        URI uri = URI.create(emulator.baseUri() + "/subscriptions/" + emulator.subscription() + "/resourceGroups/"
                + emulator.resourceGroup() + "/providers/Microsoft.Network/loadBalancers/kubernetes"
                + "/backendAddressPools/shop-web?api-version=2025-03-01");
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(emulator.sslContext()).build()) {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Authorization", "Bearer any")
                    .PUT(BodyPublishers.ofString(body))
                    .build();
            return client.send(request, BodyHandlers.ofString());
        }
    }
    // example ends

    @Test
    void the_documentation_shows_this_example() throws Exception {
        String source =
                Files.readString(Path.of("src/test/java/dev/poolkeeper/emulators/arm/ArmEmulatorExampleTest.java"));
        String example = source.substring(
                source.indexOf("// example begins\n") + "// example begins\n".length(),
                source.indexOf("    // example ends"));

        assertThat(Files.readString(Path.of("../docs/testing.md"))).contains(example);
    }
}
