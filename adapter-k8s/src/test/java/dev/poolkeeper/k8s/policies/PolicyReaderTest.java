package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyReaderTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ``                            | true
        `, "namespace": null`         | true
        `, "namespace": "poolkeeper"` | true
        `, "namespace": "other"`      | false
        """)
    void a_parent_without_a_namespace_is_in_that_of_its_route(String namespace, boolean ours) throws Exception {
        GenericKubernetesResource route =
                new ObjectMapper().readValue("""
                    {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute",
                     "metadata": {"name": "arm", "namespace": "poolkeeper"},
                     "spec": {"parentRefs": [{"group": "", "kind": "Service", "name": "azure-resource-manager"%s}]}}\
                    """.formatted(namespace), GenericKubernetesResource.class);
        assertThat(new PolicyReader(PolicyKind.ROUTE, "v1", "poolkeeper")
                        .read(route)
                        .isOurs())
                .isEqualTo(ours);
    }
}
