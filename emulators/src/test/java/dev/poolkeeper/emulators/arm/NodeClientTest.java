package dev.poolkeeper.emulators.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Azure's library for Node against the emulator, if npm can install it. */
class NodeClientTest {

    private static final long PATIENCE_SECONDS = 120;

    private static final String CLIENT = "@azure/identity@4.13.1";

    private static final String SCRIPT = """
        const { ClientSecretCredential } = require('@azure/identity');
        const [base, subscription] = process.argv.slice(2);
        const tenant = '00000000-0000-0000-0000-0000000000aa';
        const credential = new ClientSecretCredential(tenant, 'client', 'secret', {
            authorityHost: base, disableInstanceDiscovery: true });
        credential.getToken(base + '/.default').then(async ({ token }) => {
            const answer = await fetch(
                base + '/subscriptions/' + subscription
                    + '/providers/Microsoft.Network/loadBalancers?api-version=2025-05-01',
                { headers: { Authorization: 'Bearer ' + token } });
            console.log(answer.status);
        }).catch(e => { console.log(e.message); process.exitCode = 1; });
        """;

    @RegisterExtension
    final ArmEmulatorExtension arm =
            ArmEmulatorExtension.with(Inventories.two()).settings(ArmSettings.DEFAULT.withOnlyIssuedTokens(true));

    @TempDir
    private Path folder;

    private record Ended(int exitCode, String out) {}

    private Ended run(String... command) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment()
                .put("NODE_EXTRA_CA_CERTS", folder.resolve("ca.pem").toString());
        Process process = builder.start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return new Ended(-1, "not within " + PATIENCE_SECONDS + " s");
        }
        return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    }

    private boolean isInstalled() throws InterruptedException {
        try {
            Ended npm = run(
                    "npm",
                    "install",
                    "--prefer-offline",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                    "--no-save",
                    CLIENT);
            return npm.exitCode() == 0;
        } catch (IOException e) {
            return false; // no npm
        }
    }

    @Test
    @Rule(
            id = "E1",
            says = "Azure's client libraries for other languages find the emulator's token endpoint by its metadata.",
            source = "OpenID Connect Discovery")
    void the_identity_library_for_node_gets_a_valid_token() throws Exception {
        assumeTrue(isInstalled(), "npm cannot install " + CLIENT + " here");
        arm.emulator().writeCaCertificate(folder.resolve("ca.pem"));
        Files.writeString(folder.resolve("client.js"), SCRIPT);

        Ended client = run(
                "node",
                "client.js",
                arm.emulator().baseUri().toString(),
                arm.emulator().subscription());

        assertThat(client.out().strip()).isEqualTo("200");
        assertThat(client.exitCode()).isZero();
    }
}
