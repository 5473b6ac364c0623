package dev.poolkeeper.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckConfigCommandTest {

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        Files.writeString(folder.resolve("kube.yaml"), "{kind: Config, apiVersion: v1, contexts: [], clusters: []}");
        Files.writeString(folder.resolve("no.pem"), "no certificate");
        return Files.writeString(folder.resolve("poolkeeper.yaml"), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "updateModel: diff",
                "kind: Deployment\nspec: {replicas: 2}",
                "subscriptionId: SUBSCRIPTION-ID\nresourceGroup: g",
                "subscriptionId: s\nresourceGroup: RESOURCE-GROUP",
                "subscriptionId: s\nresourceGroup: g\ntenantId: TENANT-ID\naadClientId: CLIENT-ID\naadClientSecret: x",
                "subscriptionId: s\nresourceGroup: g\ncaFile: no.pem",
                "subscriptionId: s\nresourceGroup: g\nkubeconfig: kube.yaml\nkubeContext: blue",
                "subscriptionId: s\nresourceGroup: g\nkubeconfig: no.pem",
                "subscriptionId: s\nresourceGroup: g\ntenantId: t\naadClientId: c\naadClientCertPath: none.pfx",
            })
    @Rule(
            id = "I25",
            says = "check-config refuses what run refuses in the file and the files that it names, with the same"
                    + " lines.",
            source = "contract, The command line")
    void check_config_reports_the_same_lines_as_run(String text) throws IOException {
        Path file = file(text);

        CommandLineRun check = CommandLineRun.of("check-config", file.toString());
        CommandLineRun run = CommandLineRun.of("run", "--config", file.toString());

        assertThat(check.exitCode()).isEqualTo(2);
        assertThat(check.out()).isEmpty();
        assertThat(check.errLines()).isNotEmpty().allMatch(line -> line.startsWith("poolkeeper: "));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines()).isEqualTo(check.errLines());
    }

    @Test
    void a_placeholder_left_in_the_manifest_is_reported() throws IOException {
        Path file = file("subscriptionId: SUBSCRIPTION-ID\nresourceGroup: g");

        assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                .containsExactly("poolkeeper: " + file + ": subscriptionId: found \"SUBSCRIPTION-ID\", which is a"
                        + " placeholder; must be replaced by your value");
    }

    @Test
    void missing_keys_are_reported_one_by_one() throws IOException {
        Path file = file("safetyBrake: {percent: 101}");

        assertThat(CommandLineRun.of("check-config", file.toString()).errLines())
                .containsExactlyInAnyOrder(
                        "poolkeeper: " + file + ": subscriptionId: is missing, must be set for a daemon",
                        "poolkeeper: " + file + ": resourceGroup: is missing, must be set for a daemon",
                        "poolkeeper: " + file
                                + ": safetyBrake.percent: found 101, must be a whole number from 0 to 100");
    }
}
