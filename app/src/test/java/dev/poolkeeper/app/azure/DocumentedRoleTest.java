package dev.poolkeeper.app.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.identity.AzurePermissions;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.ArmRole;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The role in {@code docs/operations.md} has exactly the actions that the daemon needs. */
class DocumentedRoleTest {

    @TempDir
    private Path folder;

    private ConfiguredArm arm;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        arm = new ConfiguredArm(folder, ArmSettings.DEFAULT);
        Path file = arm.fileWithSecret();
        Files.writeString(file, Files.readString(file).replaceFirst("\\{", "{\"vnetName\": \"aks-vnet\","));
        pools = ConfiguredArm.read(file).pools(new SystemTime()).build();
    }

    @AfterEach
    void stop() {
        arm.close();
    }

    private static List<String> documentedActions() throws IOException {
        String text = Files.readString(Path.of("..", "docs", "operations.md"));
        String json = text.substring(text.indexOf("```json") + "```json".length());
        List<String> actions = new ArrayList<>();
        for (JsonNode action : new ObjectMapper()
                .readTree(json.substring(0, json.indexOf("```")))
                .path("Actions")) {
            actions.add(action.asText());
        }
        return actions;
    }

    private AzurePermissions probeWith(List<String> actions) {
        arm.emulator.change(settings -> settings.withRole(ArmRole.of(actions.toArray(String[]::new))));
        return pools.probe();
    }

    @Test
    @Rule(
            id = "H11",
            says = "The documented role in Azure has every action that the daemon needs, and no other.",
            source = "Azure REST, Permissions - List For Resource Group")
    void the_documented_role_has_exactly_the_needed_actions() throws Exception {
        List<String> actions = documentedActions();

        assertThat(probeWith(actions).describe()).isEmpty();
        assertThat(pools.list()).isInstanceOf(Reply.Ok.class);

        assertThat(actions).hasSize(5).allSatisfy(action -> {
            List<String> others = new ArrayList<>(actions);
            others.remove(action);
            assertThat(probeWith(others).describe()).as("without " + action).isNotEmpty();
        });
    }
}
