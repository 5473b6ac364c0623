package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestKindsTest {

    @TempDir
    private Path folder;

    private PolicyManifests gateway(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), text);
        return PolicyManifests.read(List.of(file), PolicyDefaults.GATEWAY);
    }

    private ArmPolicies daemon(String text) throws Exception {
        return ArmPolicies.of(
                PolicyManifests.readForArm(List.of(Files.writeString(folder.resolve("p.yaml"), text)), "default"));
    }

    /** Content that no kind of ours has. */
    private static String foreign(String apiVersion, String kind) {
        return """
            apiVersion: %s
            kind: %s
            metadata: {name: azure-resource-manager, namespace: Not_Ours}
            spec: {retry: {numRetries: 3}, targetRefs: [{kind: HTTPRoute, name: azure-resource-manager}], x: 1}
            """.formatted(apiVersion, kind);
    }

    @ParameterizedTest
    @CsvSource({
        "gateway.envoyproxy.io/v1alpha1, BackendTrafficPolicy",
        "gateway.envoyproxy.io/v1alpha1, HTTPRoute",
        "policy.linkerd.io/v1beta3, HTTPRoute",
        "example.com/v1, XBackendTrafficPolicy",
        "split.smi-spec.io/v1alpha1, ServiceProfile",
        "networking.istio.io/v1, VirtualService"
    })
    @Rule(
            id = "P181",
            says = "API group and kind make a kind: a manifest of another group is skipped with a note, whatever it"
                    + " contains; a version of its own group that is not known is a fault.",
            source = "Kubernetes, API groups")
    void a_kind_of_another_group_is_skipped(String apiVersion, String kind) throws Exception {
        String note = "p.yaml: " + kind + " of " + apiVersion + " is skipped, retries are set by ";
        String text = foreign(apiVersion, kind);
        assertThat(gateway(text).notes()).singleElement().asString().contains(note);
        assertThat(daemon(text).notes()).singleElement().asString().contains(note);
        String item = "- " + text.indent(2).strip() + "\n";
        PolicyManifests ofList = gateway("apiVersion: v1\nkind: List\nitems:\n" + item);
        assertThat(ofList.notes()).singleElement().asString().contains(note);
        assertThat(ofList.routes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "gateway.networking.k8s.io/v2, HTTPRoute",
        "gateway.networking.x-k8s.io/v1beta7, XBackendTrafficPolicy",
        "gateway.networking.x-k8s.io/v1beta7, BackendTrafficPolicy",
        "linkerd.io/v1, ServiceProfile",
        "gateway.networking.k8s.io/v1, BackendTrafficPolicy",
        "gateway.networking.k8s.io/v1alpha1, XBackendTrafficPolicy",
        "gateway.network.k8s.io/v1, HTTPRoute",
        "Gateway.Networking.k8s.io/v1, HTTPRoute",
        "Linkerd.io/v1alpha2, ServiceProfile",
        "v1, HTTPRoute",
        "gateway.networking.k8s.io, HTTPRoute"
    })
    void an_unknown_version_or_a_mistyped_group_is_a_fault(String apiVersion, String kind) {
        for (boolean isList : new boolean[] {false, true}) {
            String text = foreign(apiVersion, kind);
            String document = isList
                    ? "apiVersion: v1\nkind: List\nitems:\n- " + text.indent(2).strip()
                    : text;
            assertThatThrownBy(() -> gateway(document))
                    .isInstanceOfSatisfying(
                            BadInputException.class,
                            e -> assertThat(e.faults())
                                    .anySatisfy(fault -> assertThat(fault.problem())
                                            .startsWith("found \"" + apiVersion + "\", must be ")));
        }
    }

    @Test
    void lists_are_of_a_group_too() throws Exception {
        String route = """
            {apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, spec: {}}
            """;
        assertThat(gateway("apiVersion: v1\nkind: List\nitems: [" + route + "]").routes())
                .hasSize(1);
        assertThat(gateway("apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRouteList\nitems: [" + route + "]")
                        .routes())
                .hasSize(1);
        PolicyManifests others = gateway("""
            apiVersion: policy.linkerd.io/v1
            kind: HTTPRouteList
            items: [1, {kind: HTTPRoute}]
            ---
            apiVersion: example.com/v1
            kind: AllowList
            items: [a, b]
            ---
            apiVersion: example.com/v1
            kind: List
            items: [a, b]
            """);
        assertThat(others.routes()).isEmpty();
        assertThat(others.notes()).hasSize(3).allMatch(note -> note.contains(" is skipped"));
    }

    /** A reference names an object by group, kind and name. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{group: example.com, kind: Service, name: azure-resource-manager}",
                "{group: gateway.envoyproxy.io, kind: Backend, name: azure-resource-manager}"
            })
    void a_reference_to_another_kind_of_that_name_is_for_another_program(String reference) throws Exception {
        ArmPolicies policies = daemon("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: r}
            spec: {parentRefs: [{name: azure-resource-manager}], rules: [{backendRefs: [%s], x: 1}, {backendRefs: [{kind: Secret, name: azure-resource-manager}]}]}
            ---
            apiVersion: gateway.networking.x-k8s.io/v1alpha1
            kind: XBackendTrafficPolicy
            metadata: {name: p}
            spec: {targetRefs: [%s], x: 1}
            """.formatted(reference, reference));
        assertThat(policies.policy()).isNull();
        assertThat(policies.notes())
                .hasSize(2)
                .allMatch(note ->
                        note.contains(" is skipped, no ") && note.endsWith("the Service azure-resource-manager"));
    }

    @ParameterizedTest
    @CsvSource({
        "v1, List, HTTPRoute",
        "v1, List, XBackendTrafficPolicy",
        "v1, List, BackendTrafficPolicy",
        "v1, List, ServiceProfile",
        "gateway.networking.k8s.io/v1, HTTPRouteList, HTTPRoute",
        "gateway.networking.k8s.io/v1beta1, HTTPRouteList, HTTPRoute",
        "gateway.networking.x-k8s.io/v1alpha1, XBackendTrafficPolicyList, XBackendTrafficPolicy",
        "gateway.networking.x-k8s.io/v1alpha1, BackendTrafficPolicyList, BackendTrafficPolicy",
        "linkerd.io/v1alpha2, ServiceProfileList, ServiceProfile"
    })
    void every_item_of_a_list_of_each_kind_is_read(String apiVersion, String list, String kind) throws Exception {
        String version = switch (kind) {
            case "HTTPRoute" -> "gateway.networking.k8s.io/v1";
            case "ServiceProfile" -> "linkerd.io/v1alpha2";
            default -> "gateway.networking.x-k8s.io/v1alpha1";
        };
        String item = "{apiVersion: %s, kind: %s, metadata: {name: %s}, spec: {%s}}";
        String spec = kind.endsWith("TrafficPolicy") ? "targetRefs: [{group: '', kind: Service, name: s}]" : "";
        PolicyManifests read = gateway("apiVersion: %s\nkind: %s\nitems: [%s, %s, %s]\n"
                .formatted(
                        apiVersion,
                        list,
                        item.formatted(version, kind, "b", spec),
                        item.formatted(version, kind, "c", spec),
                        item.formatted(version, kind, "a", spec)));
        assertThat(Stream.of(
                                read.routes().stream().map(RouteManifest::head),
                                read.traffic().stream().map(TrafficManifest::head),
                                read.profiles().stream().map(ProfileManifest::head))
                        .flatMap(heads -> heads))
                .extracting(head -> head.kind() + " " + head.name())
                .containsExactly(kind + " a", kind + " b", kind + " c");
        assertThat(read.notes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'', Service, true",
        "'', ServiceImport, false",
        "multicluster.x-k8s.io, ServiceImport, true",
        "multicluster.x-k8s.io, Service, false"
    })
    void a_backend_of_a_route_is_a_service_or_an_import_of_one(String group, String kind, boolean isOurs)
            throws Exception {
        ArmPolicies policies = daemon("""
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: r}
            spec: {rules: [{backendRefs: [{group: '%s', kind: %s, name: azure-resource-manager}]}]}
            """.formatted(group, kind));
        assertThat(policies.policy() != null).isEqualTo(isOurs);
    }
}
