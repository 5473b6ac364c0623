package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.IdentityFixture.CLIENT;
import static dev.poolkeeper.azure.IdentityFixture.TENANT;
import static dev.poolkeeper.azure.IdentityFixture.certificate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.TokenCredential;
import com.azure.identity.DefaultAzureCredential;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentitySettingsTest {

    @Test
    void without_identity_settings_the_default_chain_is_used() {
        assertThat(credential(AzureIdentitySettings.NONE)).hasToString(DefaultAzureCredential.class.getSimpleName());
    }

    @Test
    void missing_settings_are_named() {
        assertThatThrownBy(() -> credential(
                        new AzureIdentitySettings(TENANT, null, null, "s", null, null, false, null, false, null)))
                .hasMessage("aadClientId is missing, aadClientSecret needs it");
        assertThatThrownBy(() -> credential(certificate("/nowhere.pem", null)))
                .hasMessage(
                        "aadClientCertPath is \"/nowhere.pem\", must be a file that can be read and is not" + " empty");
        assertThatThrownBy(() -> credential(
                        new AzureIdentitySettings(TENANT, null, CLIENT, null, null, null, false, null, true, null)))
                .hasMessage("aadFederatedTokenFile is missing, useFederatedWorkloadIdentityExtension needs it");
    }

    @Test
    void a_file_of_credentials_is_a_file_with_something_in_it(@TempDir Path folder) throws IOException {
        Path empty = Files.createFile(folder.resolve("empty"));
        for (Path path : List.of(folder, empty, folder.resolve("missing"), Path.of(folder + "/empty/below"))) {
            String allowed = " is \"" + path + "\", must be a file that can be read and is not empty";
            assertThatThrownBy(() -> credential(certificate(path.toString(), null)))
                    .hasMessage("aadClientCertPath" + allowed);
            assertThatThrownBy(() -> credential(new AzureIdentitySettings(
                            TENANT, null, CLIENT, null, null, null, false, null, true, path.toString())))
                    .hasMessage("aadFederatedTokenFile" + allowed);
        }
    }

    @Test
    void settings_show_no_secret() {
        assertThat(new AzureIdentitySettings(TENANT, null, CLIENT, "hunter2", "c", "hunter3", false, null, false, null))
                .asString()
                .contains(CLIENT)
                .doesNotContain("hunter");
    }

    private static TokenCredential credential(AzureIdentitySettings settings) {
        return AzureCredentials.of(settings, AzureCloud.PUBLIC, ArmHarness.httpClient());
    }
}
