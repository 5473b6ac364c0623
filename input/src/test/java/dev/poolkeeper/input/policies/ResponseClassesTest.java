package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which statuses a ServiceProfile's {@code responseClasses} make failures. */
class ResponseClassesTest {

    /** Those of a retryable route, in a gateway, where no status belongs to others. */
    private static Set<Integer> failures(String classes) throws Exception {
        PolicyManifests manifests = PolicyManifests.ofObject(
                (ObjectNode) new ObjectMapper().readTree("""
                    {"apiVersion": "linkerd.io/v1alpha2", "kind": "ServiceProfile",
                     "metadata": {"name": "azure-resource-manager"},
                     "spec": {"routes": [{"name": "r", "condition": {}, "isRetryable": true, "responseClasses": %s}]}}
                    """.formatted(classes.replace('\'', '"'))));
        return new TreeSet<>(
                manifests.profiles().get(0).routes().get(0).policy().codes());
    }

    private static Set<Integer> statuses(String ranges) {
        return ranges.lines()
                .flatMap(line -> Set.of(line.split(",")).stream())
                .filter(range -> !range.isBlank())
                .flatMap(range -> {
                    String[] bounds = range.split("-");
                    return IntStream.rangeClosed(
                                    Integer.parseInt(bounds[0]), Integer.parseInt(bounds[bounds.length - 1]))
                            .boxed();
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        null | 500-599
        []   | 500-599
        [{'isFailure': false}] | ``
        [{'isFailure': true}]  | 400-599
        [{'condition': {'status': {'min': 404, 'max': 404}}, 'isFailure': true}]  | 404,500-599
        [{'condition': {'status': {'min': 503}}, 'isFailure': false}]             | 500-502
        [{'condition': {'status': {'max': 403}}, 'isFailure': true}]              | 400-403,500-599
        [{'condition': {'status': {'min': null, 'max': null}}, 'isFailure': true}] | 400-599
        [{'condition': {'status': {'min': 598, 'max': 599}}, 'isFailure': false}] | 500-597
        [{'condition': {'status': {'min': 500, 'max': 500}}, 'isFailure': false},\
          {'condition': {'status': {'min': 420, 'max': 500}}, 'isFailure': true}] | 420-499,501-599
        [{'condition': {'status': {'min': 500, 'max': 500}}},\
          {'condition': {'status': {'min': 420, 'max': 500}}, 'isFailure': true}] | 420-499,501-599
        [{'condition': {'all': [{'status': {'min': 401}}, {'status': {'max': 402}}]}, 'isFailure': true}] | 401-402,500-599
        [{'condition': {'any': [{'status': {'max': 400}}, {'status': {'min': 430, 'max': 431}}]}, 'isFailure': true}] | 400,430-431,500-599
        [{'condition': {'all': []}, 'isFailure': true}]   | 400-599
        [{'condition': {'any': []}, 'isFailure': true}]   | 500-599
        [{'condition': {'any': null, 'all': null, 'not': null, 'status': null}, 'isFailure': true}] | 400-599
        [{'condition': {'not': {'status': {'min': 401}}}, 'isFailure': true}]     | 400,500-599
        [{'condition': {'not': {'not': {'status': {'max': 404}}}}, 'isFailure': true}] | 400-404,500-599
        [{'condition': {'status': {'max': 450}, 'not': {'status': {'max': 440}}}, 'isFailure': true}] | 441-450,500-599
        """)
    void the_first_class_that_matches_decides_and_without_one_5xx_are_failures(String classes, String expected)
            throws Exception {
        assertThat(failures(classes)).isEqualTo(statuses(expected));
    }
}
