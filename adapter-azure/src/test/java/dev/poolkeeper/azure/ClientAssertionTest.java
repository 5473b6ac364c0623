package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.IdentityFixture.CLIENT;
import static dev.poolkeeper.azure.IdentityFixture.TENANT;
import static dev.poolkeeper.azure.IdentityFixture.certificate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Identities that prove themselves with a signed assertion in place of a secret. */
@Timeout(120)
class ClientAssertionTest {

    @TempDir
    Path folder;

    @RegisterExtension
    final IdentityFixture identities = new IdentityFixture();

    @Test
    void a_workload_identity_presents_its_federated_token() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "federated");
        AzureIdentitySettings workload = new AzureIdentitySettings(
                TENANT, null, CLIENT, "ignored", null, null, false, null, true, file.toString());
        assertThat(identities.readWith(workload, TENANT))
                .contains("client_assertion=federated")
                .doesNotContain("ignored");
    }

    @Test
    void a_client_certificate_signs_an_assertion() throws IOException {
        HeldCertificate held = new HeldCertificate.Builder().rsa2048().build();
        Path file = Files.writeString(
                folder.resolve("client.pem"), held.privateKeyPkcs8Pem() + "\n" + held.certificatePem());
        assertThat(identities.readWith(certificate(file.toString(), null), TENANT))
                .contains("client_assertion=ey");
    }

    @Test
    void a_client_certificate_may_be_protected_by_a_password() throws Exception {
        HeldCertificate held = new HeldCertificate.Builder().rsa2048().build();
        Path file = folder.resolve("client.pfx");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "client", held.keyPair().getPrivate(), "pa55".toCharArray(), new Certificate[] {held.certificate()});
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "pa55".toCharArray());
        }
        assertThat(identities.readWith(certificate(file.toString(), "pa55"), TENANT))
                .contains("client_assertion=ey");
    }
}
