package dev.poolkeeper.emulators.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The event of a change for a watch with a selector. */
class ChangeTest {

    private static @Nullable ObjectNode labelled(@Nullable String label) {
        return label == null ? null : KubeJson.object().put("label", label);
    }

    @ParameterizedTest
    @CsvSource({
        "ADDED, , in, ADDED",
        "ADDED, , out, none",
        "MODIFIED, in, in, MODIFIED",
        "MODIFIED, out, in, ADDED",
        "MODIFIED, in, out, DELETED",
        "MODIFIED, out, out, none",
        "DELETED, in, in, DELETED",
        "DELETED, out, out, none",
    })
    void a_watch_reports_objects_that_start_or_stop_matching_its_selector(
            String type, @Nullable String before, String after, String expected) {
        Change change = new Change(2, type, "pods", KubeJson.object().put("label", after), labelled(before));

        assertThat(change.typeFor(object -> object.path("label").asText().equals("in"))
                        .orElse("none"))
                .isEqualTo(expected);
    }

    @Test
    void conditions_of_a_pod_are_merged_by_their_type() throws Exception {
        ObjectNode pod = (ObjectNode)
                KubeJson.MAPPER.readTree("{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
        ObjectNode patch = (ObjectNode)
                KubeJson.MAPPER.readTree("{\"status\":{\"conditions\":[{\"type\":\"Gate\",\"status\":\"False\"}]}}");

        assertThat(new StrategicPatch(KubeResource.PODS, patch)
                        .applied(pod)
                        .at("/status/conditions")
                        .findValuesAsText("type"))
                .containsExactly("Ready", "Gate");
    }
}
