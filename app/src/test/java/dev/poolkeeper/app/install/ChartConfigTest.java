package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartConfigTest {

    @TempDir
    private Path folder;

    /** Reads a rendered ConfigMap as the daemon does in its pod. */
    private Configuration read(List<JsonNode> objects) throws IOException, BadInputException {
        for (Map.Entry<String, JsonNode> file :
                Chart.the(objects, "ConfigMap").path("data").properties()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue().asText());
        }
        return ConfigurationReader.read(folder.resolve("poolkeeper.yaml"), Map.of("POD_NAMESPACE", "poolkeeper"));
    }

    @Test
    @Rule(
            id = "H9",
            says = "The daemon accepts the configuration that the chart renders without faults or warnings.",
            source = "")
    void the_daemon_accepts_the_rendered_configuration() throws Exception {
        Configuration configuration = read(Chart.render(Chart.PLACE + """
              safetyBrake: {percent: 10, minAddresses: 1000000}
              operationDeadlineInSeconds: 86400
            workloadIdentity: {enabled: true, clientId: c-1, tenantId: t-1}
            retryPolicies:
              route.yaml: |
                apiVersion: gateway.networking.k8s.io/v1
                kind: HTTPRoute
                metadata: {name: retries}
                spec:
                  rules:
                    - backendRefs: [{kind: Service, name: azure-resource-manager}]
                      retry: {attempts: 2}
            """));

        assertThat(configuration.warnings()).isEmpty();
        assertThat(configuration.daemon().admin().address()).isEqualTo("0.0.0.0");
        assertThat(configuration.engine().guards().orElseThrow().brake().minAddresses())
                .isEqualTo(1_000_000);
        assertThat(configuration.daemon().election().leaseNamespace()).isEqualTo("poolkeeper");
        assertThat(configuration.live().retries().policy().attempts()).isEqualTo(2);
        var identity = Objects.requireNonNull(configuration.azure()).identity();
        assertThat(identity.useWorkloadIdentity()).isTrue();
        assertThat(identity.clientId()).isEqualTo("c-1");
        assertThat(identity.federatedTokenFile()).isEqualTo("/var/run/secrets/azure/tokens/azure-identity-token");
    }

    @Test
    void the_secret_is_mounted_at_the_configured_path() {
        List<JsonNode> objects =
                Chart.render(Chart.PLACE + "clientSecret: {existingSecret: azure-principal, key: secret}\n");
        JsonNode spec = Chart.pod(objects).path("spec");

        assertThat(Chart.the(objects, "ConfigMap").at("/data/poolkeeper.yaml").asText())
                .contains("aadClientSecretFile: /etc/poolkeeper-secret/secret");
        assertThat(spec.path("volumes"))
                .anyMatch(volume -> volume.at("/secret/secretName").asText().equals("azure-principal")
                        && volume.at("/secret/items/0/path").asText().equals("secret"));
        assertThat(spec.at("/containers/0/volumeMounts"))
                .anyMatch(mount -> mount.path("mountPath").asText().equals("/etc/poolkeeper-secret"));
    }
}
