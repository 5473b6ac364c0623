package dev.poolkeeper.azure.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The clouds that Azure Resource Manager lists about itself. */
class CloudMetadataTest {

    private static final AzureCloud CLOUD = AzureCloud.discoveredAt(URI.create("https://management.local.azurestack/"));

    private static AzureCloud read(String body) {
        return CloudMetadata.complete(CLOUD, body.getBytes(StandardCharsets.UTF_8));
    }

    private static String cloud(String resourceManager, String login) {
        return "{\"resourceManager\": \"%s\", \"authentication\": {\"loginEndpoint\": \"%s\", \"audiences\": [\"a\"]}}"
                .formatted(resourceManager, login);
    }

    @ParameterizedTest
    @CsvSource({
        "https://management.local.azurestack, https://second",
        "https://management.local.azurestack/, https://second",
        "https://Management.Local.AzureStack/, https://second",
        "https://management.other, https://first"
    })
    void the_cloud_at_the_configured_address_counts_or_else_the_first(String second, String authority) {
        AzureCloud found = read("[" + cloud("https://management.azure.com", "https://first") + ","
                + cloud(second, "https://second") + "]");
        assertThat(found.authority()).hasToString(authority);
        assertThat(found.audience()).isEqualTo("a");
    }

    @ParameterizedTest
    @CsvSource({"'\"a\"', a", "'\"a\", \"b\"', a", "'\"b\", \"a\"', b", "'\"a\", null', a", "'\"a\", 7', a"})
    void the_first_of_several_audiences_counts(String audiences, String first) {
        String cloud =
                cloud("https://management.local.azurestack", "https://login").replace("\"a\"", audiences);

        assertThat(read("[" + cloud + "]").audience()).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "[]",
                "[null]",
                "[{}]",
                "[{\"authentication\": null}]",
                "[{\"authentication\": {}}]",
                "[{\"authentication\": {\"loginEndpoint\": null, \"audiences\": [\"a\"]}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"\", \"audiences\": [\"a\"]}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"https://x\"}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"https://x\", \"audiences\": null}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"https://x\", \"audiences\": []}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"https://x\", \"audiences\": [null]}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"https://x\", \"audiences\": [\"\"]}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"http://x\", \"audiences\": [\"a\"]}}]"
            })
    void a_body_without_an_authority_is_said_so_in_one_line(String body) {
        assertThatThrownBy(() -> read(body))
                .hasMessageStartingWith(
                        "Azure Resource Manager's /metadata/endpoints does not name a token authority: ")
                .hasMessageNotContaining("null")
                .message()
                .doesNotContain("\n");
    }
}
