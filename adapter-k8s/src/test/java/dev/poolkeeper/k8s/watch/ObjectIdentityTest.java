package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Service;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectIdentityTest {

    /** The type and the kind of an event, and whether it is about a Service, and about an object of a custom kind. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "ADDED"    | "Service"   | true  | true
        "MODIFIED" | "Service"   | true  | true
        "DELETED"  | "Service"   | true  | true
        "BOOKMARK" | "Service"   | false | false
        "ERROR"    | "Service"   | false | false
        "added"    | "Service"   | false | false
        null       | "Service"   | false | false
        "ADDED"    | "HTTPRoute" | false | true
        "ADDED"    | "Status"    | false | false
        "ADDED"    | null        | false | true
        """)
    void an_event_is_about_an_object_if_it_changes_one_of_that_kind(
            String type, String kind, boolean isService, boolean isCustom) {
        String line = """
            {"type": %s, "object": {"kind": %s, "metadata": {"namespace": "shop", "name": "web", "uid": "u",
             "resourceVersion": "7"}}}\
            """.formatted(type, kind);
        assertThat(ObjectIdentity.ofEvent(line, Service.class).isPresent()).isEqualTo(isService);
        assertThat(ObjectIdentity.ofEvent(line, GenericKubernetesResource.class).isPresent())
                .isEqualTo(isCustom);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        "namespace": "shop", "name": "web", "uid": "u", "resourceVersion": "7" | shop/web u 7
        "name": "web", "uid": "u", "resourceVersion": "7"                      | web u 7
        "namespace": null, "name": "web", "uid": null, "resourceVersion": "7"  | web null 7
        "name": "", "uid": "u", "resourceVersion": "7"                         | none
        "name": null, "uid": "u", "resourceVersion": "7"                       | none
        "name": 7, "uid": "u", "resourceVersion": "7"                          | none
        "uid": "u", "resourceVersion": "7"                                     | none
        "name": "web", "uid": "u", "resourceVersion": ""                       | none
        "name": "web", "uid": "u", "resourceVersion": null                     | none
        "name": "web", "uid": "u", "resourceVersion": 7                        | none
        "name": "web", "uid": "u"                                              | none
        """)
    void an_object_is_known_by_its_name_and_version(String metadata, String expected) {
        String line = """
            {"type": "ADDED", "object": {"kind": "Service", "metadata": {%s}}}\
            """.formatted(metadata);
        assertThat(ObjectIdentity.ofEvent(line, Service.class)
                        .map(event -> "%s %s %s"
                                .formatted(
                                        ReducedStore.key(event.metadata()),
                                        event.metadata().getUid(),
                                        event.metadata().getResourceVersion()))
                        .orElse("none"))
                .isEqualTo(expected);
    }
}
