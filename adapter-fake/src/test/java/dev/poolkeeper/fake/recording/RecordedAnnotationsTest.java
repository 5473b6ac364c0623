package dev.poolkeeper.fake.recording;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.contract.ObservedCluster;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedAnnotationsTest {

    private static final ServiceState WEB =
            new ServiceState(new ServiceName("shop", "web"), "LoadBalancer", "Local", List.of("IPv4"));

    private static Object reported(String annotations) throws Exception {
        String service = """
            {"apiVersion":"v1","kind":"Service","metadata":{"namespace":"shop","name":"web","annotations":%s},
             "spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local","ipFamilies":["IPv4"]}}\
            """.formatted(annotations);
        ObservedCluster observed = new ObservedCluster();
        FaultCollector faults = new FaultCollector("recording");
        ObjectNode document = (ObjectNode) new ObjectMapper().readTree(service);
        WatchedObject.change(JsonObject.of(document, "", faults), false).report(observed);
        faults.throwIfAny();
        return observed.find("Service shop/web").orElseThrow();
    }

    @Test
    void a_recorded_service_has_the_same_annotation_state_as_a_watched_one() throws Exception {
        assertThat(reported("{\"poolkeeper.dev/paused\":\"true\",\"a\":\"b\"}"))
                .isEqualTo(WEB.withAnnotations(Map.of("poolkeeper.dev/paused", "true", "a", "b")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "5", "[]", "\"text\""})
    void malformed_annotations_are_ignored(String annotations) throws Exception {
        assertThat(reported(annotations)).isEqualTo(WEB);
    }

    @Test
    void a_non_string_annotation_is_no_fault() throws Exception {
        assertThat(reported("{\"a\":5}")).isEqualTo(WEB.withAnnotations(Map.of("a", "5")));
    }
}
