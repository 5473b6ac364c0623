package dev.poolkeeper.emulators.kube;

import static dev.poolkeeper.emulators.kube.KubeClient.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchTest {

    private static final String STRATEGIC = "application/strategic-merge-patch+json";

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension();

    private static String patched(String object, String patch) throws Exception {
        JsonNode result = new StrategicPatch(KubeResource.SERVICES, (ObjectNode) KubeJson.MAPPER.readTree(patch))
                .applied((ObjectNode) KubeJson.MAPPER.readTree(object));
        return result.toString().replace("\"", "'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1,'b':{'c':1}}              | {'b':{'d':2}}                  | {'a':1,'b':{'c':1,'d':2}}",
                "{'a':1,'b':2}                    | {'b':null}                     | {'a':1}",
                "{'a':{'b':1}}                    | {'a':{'$patch':'delete'}}      | {}",
                "{'a':{'b':1}}                    | {'a':{'$patch':'replace','c':2}} | {'a':{'c':2}}",
                "{'list':[1,2]}                   | {'list':[3]}                   | {'list':[3]}",
                "{'spec':{'ports':[{'port':80,'name':'x'}]}} | {'spec':{'ports':[{'port':443}]}}"
                        + " | {'spec':{'ports':[{'port':80,'name':'x'},{'port':443}]}}",
                "{'spec':{'ports':[{'port':80,'name':'x'}]}} | {'spec':{'ports':[{'port':80,'name':'y'}]}}"
                        + " | {'spec':{'ports':[{'port':80,'name':'y'}]}}",
                "{'spec':{'ports':[{'port':80},{'port':81}]}} | {'spec':{'$setElementOrder/ports':[{'port':81}],"
                        + "'ports':[{'$patch':'delete','port':80}]}} | {'spec':{'ports':[{'port':81}]}}",
                "{'spec':{'ports':[{'port':80}]}} | {'spec':{'ports':[{'$patch':'replace'},{'port':9}]}}"
                        + " | {'spec':{'ports':[{'port':9}]}}",
                "{'metadata':{'finalizers':['a']}} | {'metadata':{'finalizers':['a','b']}}"
                        + " | {'metadata':{'finalizers':['a','b']}}",
                "{'metadata':{'finalizers':['a','b']}} | {'metadata':{'$deleteFromPrimitiveList/finalizers':['a']}}"
                        + " | {'metadata':{'finalizers':['b']}}",
            })
    void a_strategic_merge_patch_merges_as_the_api_server_does(String object, String patch, String result)
            throws Exception {
        assertThat(patched(object.replace('\'', '"'), patch.replace('\'', '"'))).isEqualTo(result);
    }

    private HttpResponse<String> patch(String type, String patch) {
        return new KubeClient(kube.emulator())
                .sending("PATCH", SERVICES + "/web", type, patch)
                .join();
    }

    @Test
    void a_patch_of_an_outdated_version_is_a_conflict_in_every_form() {
        kube.emulator().apply(KubeClient.service("web"));
        String patch = "{\"metadata\":{\"resourceVersion\":\"1\",\"labels\":{\"a\":\"b\"}}}";

        assertThat(patch(STRATEGIC, patch).statusCode()).isEqualTo(409);
        assertThat(patch("application/merge-patch+json", patch).statusCode()).isEqualTo(409);
    }

    @ParameterizedTest
    @CsvSource({"application/json-patch+json", "application/apply-patch+yaml"})
    void other_patch_types_are_refused_with_the_supported_ones(String type) {
        kube.emulator().apply(KubeClient.service("web"));

        assertThat(patch(type, "{}").statusCode()).isEqualTo(415);
        assertThat(patch(type, "{}").body()).contains("only merge patches and strategic merge patches");
    }

    @Test
    void a_body_that_is_not_json_is_a_bad_request() {
        kube.emulator().apply(KubeClient.service("web"));

        assertThat(patch(STRATEGIC, "{nothing").statusCode()).isEqualTo(400);
        assertThat(patch(STRATEGIC, "5").statusCode()).isEqualTo(400);
    }

    @Test
    void a_dry_run_is_refused_and_changes_nothing() throws Exception {
        kube.emulator().apply(KubeClient.service("web"));
        KubeClient client = new KubeClient(kube.emulator());

        assertThat(client.send("DELETE", SERVICES + "/web?dryRun=All", "").statusCode())
                .isEqualTo(400);
        assertThat(client.get(SERVICES).path("items")).hasSize(1);
    }
}
