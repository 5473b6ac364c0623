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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        for (String path : List.of(
                folder.toString(), empty.toString(), folder + "/missing", folder + "/empty/below", folder + "/\0")) {
            String allowed = " is \"" + path + "\", must be a file that can be read and is not empty";
            assertThatThrownBy(() -> credential(certificate(path, null))).hasMessage("aadClientCertPath" + allowed);
            assertThatThrownBy(() -> credential(
                            new AzureIdentitySettings(TENANT, null, CLIENT, null, null, null, false, null, true, path)))
                    .hasMessage("aadFederatedTokenFile" + allowed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void a_blank_setting_is_missing(String blank) {
        assertThatThrownBy(() -> credential(
                        new AzureIdentitySettings(TENANT, null, blank, "s", null, null, false, null, false, null)))
                .hasMessage("aadClientId is missing, aadClientSecret needs it");
        assertThatThrownBy(() -> credential(
                        new AzureIdentitySettings(blank, null, CLIENT, "s", null, null, false, null, false, null)))
                .hasMessage("tenantId is missing, aadClientSecret needs it");
        assertThatThrownBy(() -> credential(
                        new AzureIdentitySettings(TENANT, null, CLIENT, null, null, null, false, null, true, blank)))
                .hasMessage("aadFederatedTokenFile is missing, useFederatedWorkloadIdentityExtension needs it");
        assertThatThrownBy(() -> credential(certificate(blank, null)))
                .hasMessage("aadClientCertPath is missing, aadClientCertPath needs it");
    }

    @Test
    void settings_show_what_is_set_and_what_is_not() {
        assertThat(AzureIdentitySettings.NONE)
                .hasToString("AzureIdentitySettings[tenantId=null, networkResourceTenantId=null, clientId=null,"
                        + " clientSecret=null, clientCertPath=null, clientCertPassword=null,"
                        + " useManagedIdentity=false, userAssignedIdentityId=null, useWorkloadIdentity=false,"
                        + " federatedTokenFile=null]");
        assertThat(new AzureIdentitySettings("t", "n", "c", "s", "p", "w", true, "u", false, "f"))
                .hasToString("AzureIdentitySettings[tenantId=t, networkResourceTenantId=n, clientId=c,"
                        + " clientSecret=…, clientCertPath=p, clientCertPassword=…, useManagedIdentity=true,"
                        + " userAssignedIdentityId=u, useWorkloadIdentity=false, federatedTokenFile=f]");
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
