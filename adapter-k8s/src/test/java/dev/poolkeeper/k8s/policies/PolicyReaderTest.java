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

    private static final String ARM = "{\"group\": \"\", \"kind\": \"Service\", \"name\": \"azure-resource-manager\"}";

    private static PolicyObject read(PolicyKind kind, String metadata, String spec) throws Exception {
        return new PolicyReader(kind, kind.versions().getFirst(), "poolkeeper")
                .read(new ObjectMapper()
                        .readValue(
                                "{\"metadata\": {%s}, \"spec\": %s}".formatted(metadata, spec),
                                GenericKubernetesResource.class));
    }

    /** ARM stands for a reference to the Service. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ARM                                                                            | 1 | 1
        {"kind": "Service", "name": "azure-resource-manager"}                          | 0 | 0
        {"group": null, "kind": "Service", "name": "azure-resource-manager"}           | 0 | 0
        {"group": "core", "kind": "Service", "name": "azure-resource-manager"}         | 0 | 0
        {"group": "", "name": "azure-resource-manager"}                                | 0 | 0
        {"group": "", "kind": null, "name": "azure-resource-manager"}                  | 0 | 0
        {"group": "", "kind": "Gateway", "name": "azure-resource-manager"}             | 0 | 0
        {"group": "", "kind": "Service"}                                               | 0 | 0
        {"group": "", "kind": "Service", "name": null}                                 | 0 | 0
        {"group": "", "kind": "Service", "name": "Azure-Resource-Manager"}             | 0 | 0
        {"group": "", "kind": "Service", "name": "web"}, ARM                           | 1 | 1
        ARM, ARM                                                                       | 1 | 1
        ARM, {"group": "", "kind": "Service", "name": "azure-resource-manager", "port": 443} | 1 | 2
        """)
    void each_reference_of_a_route_to_the_service_has_an_entry_and_a_traffic_policy_has_one(
            String references, int ofPolicy, int ofRoute) throws Exception {
        String all = "[" + references.replace("ARM", ARM) + "]";
        assertThat(read(PolicyKind.TRAFFIC_POLICY, "\"name\": \"arm\"", "{\"targetRefs\": " + all + "}")
                        .references())
                .hasSize(ofPolicy);
        assertThat(read(PolicyKind.ROUTE, "\"name\": \"arm\"", "{\"parentRefs\": " + all + "}")
                        .references())
                .hasSize(ofRoute);
    }

    @ParameterizedTest
    @CsvSource({
        "azure-resource-manager, true",
        "azure-resource-manager.poolkeeper, true",
        "azure-resource-manager.poolkeeper.svc.cluster.local, true",
        "azure-resource-manager.other.svc.cluster.local, false",
        "azure-resource-manager.poolkeeper-2.svc.cluster.local, false",
        "azure-resource-manager-2.poolkeeper.svc.cluster.local, false",
        "web.poolkeeper.svc.cluster.local, false"
    })
    void the_name_of_a_profile_is_that_of_its_service(String name, boolean ours) throws Exception {
        assertThat(read(PolicyKind.PROFILE, "\"name\": \"" + name + "\"", "{}").isOurs())
                .isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ``                    | 0
        `, "generation": null`| 0
        `, "generation": 1`   | 1
        `, "generation": 5000000000` | 5000000000
        """)
    void an_object_without_a_generation_has_none(String generation, long expected) throws Exception {
        assertThat(read(PolicyKind.PROFILE, "\"name\": \"azure-resource-manager\"" + generation, "{}")
                        .generation())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"u-1, true", "u-2, false"})
    void an_object_that_cannot_be_read_keeps_the_settings_of_its_earlier_generation_but_of_no_other_object(
            String uid, boolean kept) throws Exception {
        PolicyObject earlier = read(
                PolicyKind.TRAFFIC_POLICY,
                "\"name\": \"arm\", \"uid\": \"u-1\"",
                "{\"targetRefs\": [%s], \"retryConstraint\": {\"budget\": {\"percent\": 10}}}".formatted(ARM));
        PolicyObject now = read(
                PolicyKind.TRAFFIC_POLICY,
                "\"name\": \"arm\", \"uid\": \"" + uid + "\"",
                "{\"targetRefs\": [%s], \"retryConstraint\": {\"budget\": {\"percent\": 300}}}".formatted(ARM));

        assertThat(earlier.manifests().traffic()).hasSize(1);
        assertThat(now.faults()).isNotEmpty();
        assertThat(now.after(earlier).manifests().traffic()).hasSize(kept ? 1 : 0);
        assertThat(now.after(earlier).holdsEarlier()).isEqualTo(kept);
        assertThat(now.after(null).manifests().traffic()).isEmpty();
    }
}
