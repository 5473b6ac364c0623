package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.IdentityFixture.CLIENT;
import static dev.poolkeeper.azure.IdentityFixture.TENANT;
import static dev.poolkeeper.azure.IdentityFixture.certificate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.Random;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    private Path pkcs12(String password, String... names) throws Exception {
        Path file = folder.resolve("client.pfx");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String name : names) {
            HeldCertificate held = new HeldCertificate.Builder().rsa2048().build();
            store.setKeyEntry(
                    name, held.keyPair().getPrivate(), password.toCharArray(), new Certificate[] {held.certificate()});
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file;
    }

    @Test
    void a_client_certificate_may_be_protected_by_a_password() throws Exception {
        assertThat(identities.readWith(certificate(pkcs12("pa55", "client").toString(), "pa55"), TENANT))
                .contains("client_assertion=ey");
    }

    @Test
    void a_client_certificate_in_pkcs_12_may_have_an_empty_password() throws Exception {
        assertThat(identities.readWith(certificate(pkcs12("", "client").toString(), null), TENANT))
                .contains("client_assertion=ey");
    }

    private String fault(Path file, @Nullable String password) {
        return catchThrowableOfType(
                        IllegalArgumentException.class,
                        () -> identities.credential(certificate(file.toString(), password)))
                .getMessage()
                .replace(folder.toString(), "FOLDER");
    }

    @Test
    void a_file_that_the_sdk_could_not_open_is_refused() throws Exception {
        byte[] noise = new byte[300];
        new Random(1).nextBytes(noise);
        Path file = Files.write(folder.resolve("noise.pfx"), noise);
        assertThat(fault(file, null))
                .isEqualTo("aadClientCertPath is \"FOLDER/noise.pfx\", which must be PEM or PKCS #12");
        assertThat(fault(file, "pa55"))
                .isEqualTo("aadClientCertPath is \"FOLDER/noise.pfx\", which must be PEM or PKCS #12");

        Path twice = pkcs12("pa55", "one", "another");
        assertThat(fault(twice, "pa55"))
                .isEqualTo("aadClientCertPath is \"FOLDER/client.pfx\", which has 2 private keys, must have one with"
                        + " its certificate");
        assertThat(fault(pkcs12("pa55"), "pa55")).contains("which has 0 private keys");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "pa5"})
    void a_password_that_does_not_open_the_file_is_refused(String password) throws Exception {
        assertThat(fault(pkcs12("pa55", "client"), password))
                .isEqualTo("aadClientCertPassword is not the password of aadClientCertPath \"FOLDER/client.pfx\"");
    }

    @Test
    void text_without_a_certificate_and_its_key_is_refused() throws Exception {
        HeldCertificate held = new HeldCertificate.Builder().rsa2048().build();
        HeldCertificate curve = new HeldCertificate.Builder().ecdsa256().build();
        String certificate = held.certificatePem();
        String key = held.privateKeyPkcs8Pem();
        String lacking = "must have a certificate and its RSA key in PEM, the key as PKCS #8 and not encrypted";
        Map<String, String> faults = Map.of(
                certificate,
                lacking,
                key,
                lacking,
                certificate + held.privateKeyPkcs1Pem(),
                lacking,
                certificate + key.replace("PRIVATE", "ENCRYPTED PRIVATE"),
                lacking,
                certificate.replaceFirst("\nM.{9}", "\nAAAAAAAAAA") + key,
                "has a certificate that cannot be read",
                certificate + certificate.replaceFirst("\nM.{9}", "\nAAAAAAAAAA") + key,
                "has a certificate that cannot be read",
                certificate + key.replaceFirst("\nM.{9}", "\nAAAAAAAAAA"),
                "has a private key that cannot be read, or is no RSA key",
                certificate + key.replaceFirst("\nM", "\n*"),
                "has a private key that cannot be read, or is no RSA key",
                curve.certificatePem() + curve.privateKeyPkcs8Pem(),
                "has a private key that cannot be read, or is no RSA key");
        for (Map.Entry<String, String> one : faults.entrySet()) {
            Path file = Files.writeString(folder.resolve("client.pem"), one.getKey());

            assertThat(fault(file, null))
                    .isEqualTo("aadClientCertPath is \"FOLDER/client.pem\", which " + one.getValue());
        }
    }
}
