package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.retry.RequestHead;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that an API server accepts and that would cost the daemon its time, memory or stack. */
class HostilePoliciesTest {

    private static final String HOSTILE = "(?:(?:^){99999}){2147483647}.*";

    private static PolicyManifests read(String apiVersion, String kind, String spec) throws Exception {
        return PolicyManifests.ofObject(
                (ObjectNode) new ObjectMapper().readTree("""
                    {"apiVersion": "%s", "kind": "%s", "metadata": {"name": "azure-resource-manager"}, "spec": %s}
                    """.formatted(apiVersion, kind, spec)));
    }

    private static PolicyManifests route(String matches) throws Exception {
        return read("gateway.networking.k8s.io/v1", "HTTPRoute", """
            {"parentRefs": [{"group": "", "kind": "Service", "name": "azure-resource-manager"}],
             "rules": [{"matches": [%s]}]}
            """.formatted(matches));
    }

    private static PolicyManifests profile(String routes) throws Exception {
        return read("linkerd.io/v1alpha2", "ServiceProfile", "{\"routes\": [%s]}".formatted(routes));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'path': {'type': 'RegularExpression', 'value': '%s'}} | path.value",
                "{'headers': [{'type': 'RegularExpression', 'name': 'a', 'value': '%s'}]} | headers[0].value",
                "{'queryParams': [{'type': 'RegularExpression', 'name': 'a', 'value': '%s'}]} | queryParams[0].value"
            })
    void a_hostile_expression_of_a_route_is_refused_with_its_place(String match, String place) {
        assertThatThrownBy(() -> route(match.replace('\'', '"').formatted(HOSTILE)))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .hasToString(": spec.rules[0].matches[0]." + place + ": found \"" + HOSTILE
                                        + "\", must be a regular expression of RE2: repeats add up to more than 1000"
                                        + " copies, at character 9"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'pathRegex': '%s'} | pathRegex",
                "{'all': [{'pathRegex': '%s'}]} | all[0].pathRegex",
                "{'any': [{}, {'pathRegex': '%s'}]} | any[1].pathRegex",
                "{'not': {'pathRegex': '%s'}} | not.pathRegex"
            })
    void a_hostile_expression_of_a_profile_is_refused_with_its_place(String condition, String place) {
        String route = "{'name': 'r', 'condition': " + condition.formatted(HOSTILE) + "}";
        assertThatThrownBy(() -> profile(route.replace('\'', '"')))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .asString()
                                .startsWith(": spec.routes[0].condition." + place + ": found "));
    }

    private static String expressions(int count) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        "{\"path\": {\"type\": \"RegularExpression\", \"value\": \"/%d(?:aa){500}\"}}".formatted(i))
                .collect(Collectors.joining(","));
    }

    @Test
    @Rule(
            id = "P182",
            says = "The regular expressions of one manifest compile to 20,000 instructions at most, and the conditions"
                    + " of a ServiceProfile are nested 100 deep at most.",
            source = "ours")
    void all_expressions_of_a_manifest_together_are_limited() throws Exception {
        assertThat(route(expressions(19)).routes()).hasSize(1); // 1,004 or 1,005 each
        assertThatThrownBy(() -> route(expressions(20)))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .hasToString(": spec.rules[0].matches[19].path.value: the regular expressions of the"
                                        + " manifest compile to more than 20000 instructions up to this one, must"
                                        + " be fewer or simpler"));
    }

    private static String nested(int levels, String outside, String inside) {
        return "{\"name\": \"r\", %s}"
                .formatted(outside.formatted(
                        inside.repeat(levels) + "{}" + (inside.endsWith("[") ? "]}" : "}").repeat(levels)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"condition\": %s | {\"not\":",
                "\"condition\": %s | {\"any\":[",
                "\"condition\": %s | {\"all\":[",
                "\"condition\": {}, \"responseClasses\": [{\"condition\": %s, \"isFailure\": true}] | {\"not\":",
                "\"condition\": {}, \"responseClasses\": [{\"condition\": %s, \"isFailure\": true}] | {\"any\":[",
                "\"condition\": {}, \"responseClasses\": [{\"condition\": %s, \"isFailure\": true}] | {\"all\":["
            })
    void nested_conditions_are_limited(String outside, String inside) throws Exception {
        PolicyManifests deepest = profile(nested(100, outside, inside));
        FutureTask<Boolean> matching = new FutureTask<>(() -> {
            RequestHead request = RequestHead.of("GET", "/", "");
            boolean unused =
                    deepest.profiles().get(0).routes().get(0).condition().test(request);
            return true;
        });
        new Thread(null, matching, "small", 512L << 10).start();
        assertThat(matching.get()).isTrue();
        assertThatThrownBy(() -> profile(nested(101, outside, inside)))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults())
                                .singleElement()
                                .asString()
                                .endsWith(": conditions are nested more than 100 deep, must be nested less"));
    }

    @Test
    void conditions_next_to_each_other_need_no_stack() throws Exception {
        String many = "{},".repeat(50_000) + "{}";
        assertThat(profile("""
            {"name": "r", "condition": {"all": [%s]},
             "responseClasses": [{"condition": {"all": [%s]}, "isFailure": true}]}
            """.formatted(many, many)).profiles()).hasSize(1);
    }
}
