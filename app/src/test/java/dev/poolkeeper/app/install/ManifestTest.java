package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * {@code deploy/manifest/poolkeeper.yaml} is generated from the chart. This test renders it again and compares; with
 * {@code -Ddocs.update} it writes it.
 */
class ManifestTest {

    private static final Path FOLDER = Path.of("..", "deploy", "manifest");

    private static final String HEAD = """
        # Poolkeeper without Helm: rendered from deploy/helm/poolkeeper and compared with it at every build.
        # Replace the values in capitals as described in docs/operations.md.
        apiVersion: v1
        kind: Namespace
        metadata:
          name: poolkeeper
          labels:
            pod-security.kubernetes.io/enforce: restricted
        """;

    @Test
    @Rule(
            id = "H10",
            says = "The plain manifest is the rendered chart without the fields that only Helm uses.",
            source = "")
    void the_plain_manifest_is_what_the_chart_renders() throws IOException {
        String rendered = Chart.text(FOLDER.resolve("values.yaml"))
                .lines()
                .filter(line -> !line.startsWith("# Source: "))
                .filter(line -> !line.strip().startsWith("helm.sh/chart: "))
                .filter(line -> !line.strip().startsWith("app.kubernetes.io/managed-by: "))
                .reduce(HEAD, (text, line) -> text + line + "\n");
        Path manifest = FOLDER.resolve("poolkeeper.yaml");

        if (Boolean.getBoolean("docs.update")) {
            Files.writeString(manifest, rendered);
        }

        assertThat(manifest).content().isEqualTo(rendered);
        assertThat(Chart.objects(rendered))
                .hasSize(11)
                .extracting(KubernetesSchemas::fault)
                .containsOnly(Optional.empty());
    }
}
