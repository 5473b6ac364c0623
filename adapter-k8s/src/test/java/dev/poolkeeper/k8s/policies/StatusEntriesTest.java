package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.input.policies.PolicyManifests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusEntriesTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");
    private static final String REFERENCE = "{\"name\":\"azure-resource-manager\"}";

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static StatusEntries entries(PolicyKind kind, long generation) {
        PolicyObject.Id id = new PolicyObject.Id(kind, "v1", "poolkeeper", "near", "uid-1");
        return new StatusEntries(
                new Standing(
                        new PolicyObject(
                                id, generation, List.of(json(REFERENCE)), PolicyManifests.NONE, List.of(), List.of()),
                        List.of(new Standing.Condition("Accepted", true, "Accepted", "In force"))),
                NOW);
    }

    private static JsonNode own(String conditions) {
        return json("""
            {"ancestorRef": %s, "controllerName": "poolkeeper.dev/daemon", "conditions": [%s]}\
            """.formatted(REFERENCE, conditions));
    }

    private static List<JsonNode> others(int number) {
        List<JsonNode> others = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            others.add(json("{\"controllerName\": \"example.com/c\", \"number\": " + i + "}"));
        }
        return others;
    }

    @ParameterizedTest
    @CsvSource({"TRAFFIC_POLICY, 16", "ROUTE, 32"})
    void an_entry_is_added_while_the_list_has_room(PolicyKind kind, int most) {
        StatusEntries.Wanted last = entries(kind, 1).wanted(others(most - 1));
        assertThat(last.entries().orElseThrow()).hasSize(most);
        assertThat(last.isFull()).isFalse();

        StatusEntries.Wanted full = entries(kind, 1).wanted(others(most));
        assertThat(full.entries()).isEmpty();
        assertThat(full.isFull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 7, 5_000_000_000L})
    void an_entry_that_is_up_to_date_stays_as_it_is(long generation) {
        StatusEntries entries = entries(PolicyKind.TRAFFIC_POLICY, generation);
        JsonNode written = entries.wanted(List.of()).entries().orElseThrow();
        JsonNode condition = written.at("/0/conditions/0");

        assertThat(condition.has("observedGeneration")).isEqualTo(generation > 0);
        assertThat(condition.path("observedGeneration").asLong()).isEqualTo(generation);
        List<JsonNode> read = new ArrayList<>();
        json(written.toString()).forEach(read::add);
        assertThat(entries.wanted(read).entries()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Accepted,     6,             true",
        "Accepted,     5000000000,    true",
        "Accepted,     5000000002,    false",
        "ResolvedRefs, 5000000002,    false",
        "Programmed,   5000000002,    true"
    })
    void an_entry_with_a_condition_of_a_newer_generation_is_left_alone(String type, long observed, boolean changes) {
        JsonNode there =
                own("{\"type\": \"%s\", \"status\": \"False\", \"observedGeneration\": %d}".formatted(type, observed));
        assertThat(entries(PolicyKind.TRAFFIC_POLICY, 5_000_000_001L)
                        .wanted(List.of(there))
                        .entries()
                        .isPresent())
                .isEqualTo(changes);
    }

    @ParameterizedTest
    @CsvSource({"True, 2026-02-01T00:00:00Z", "False, 2026-03-01T12:00:00Z", "Unknown, 2026-03-01T12:00:00Z"})
    void the_transition_time_is_that_of_the_status_and_conditions_of_other_types_are_kept(String before, String since) {
        JsonNode there = own("""
            {"type": "Programmed", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"},
            {"type": "Accepted", "status": "%s", "reason": "Old", "lastTransitionTime": "2026-02-01T00:00:00Z"},
            {"type": "ResolvedRefs", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}\
            """.formatted(before));
        assertThat(entries(PolicyKind.TRAFFIC_POLICY, 2).wanted(List.of(there)).entries())
                .hasValue(JSON.createArrayNode().add(own("""
                    {"type": "Accepted", "status": "True", "reason": "Accepted", "message": "In force",
                     "lastTransitionTime": "%s", "observedGeneration": 2},
                    {"type": "Programmed", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}\
                    """.formatted(since))));
    }
}
