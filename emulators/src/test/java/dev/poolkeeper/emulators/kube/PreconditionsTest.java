package dev.poolkeeper.emulators.kube;

import static dev.poolkeeper.emulators.kube.KubeClient.LEASES;
import static dev.poolkeeper.emulators.kube.KubeClient.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writes that are meant for an object that is not there any more, or is another one by now, as API servers answer them.
 */
class PreconditionsTest {

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension();

    @BeforeEach
    void namespace() {
        kube.emulator().createNamespace("shop");
    }

    private KubeClient client() {
        return new KubeClient(kube.emulator());
    }

    enum Kind {
        LEASE(LEASES, """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
             "metadata":{"name":"one","namespace":"kube-system"},"spec":{"holderIdentity":"me"}}\
            """),
        SERVICE(SERVICES, KubeClient.service("one"));

        private final String all;
        private final String object;

        Kind(String all, String object) {
            this.all = all;
            this.object = object;
        }

        String one() {
            return all + "/one";
        }
    }

    private ObjectNode created(Kind kind) throws Exception {
        HttpResponse<String> created = client().send("POST", kind.all, kind.object);
        assertThat(created.statusCode()).isEqualTo(201);
        return (ObjectNode) KubeJson.MAPPER.readTree(created.body());
    }

    private JsonNode refused(int code, String method, String path, String body) throws Exception {
        HttpResponse<String> answer = client().send(method, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        return KubeJson.MAPPER.readTree(answer.body());
    }

    @ParameterizedTest
    @EnumSource
    void an_update_with_the_uid_of_a_deleted_object_is_a_conflict(Kind kind) throws Exception {
        ObjectNode old = created(kind);
        client().send("DELETE", kind.one(), "");

        JsonNode status = refused(409, "PUT", kind.one(), old.toString());

        assertThat(status.path("reason").asText()).isEqualTo("Conflict");
        assertThat(status.path("message").asText())
                .contains("Precondition failed: UID in precondition: "
                        + old.at("/metadata/uid").asText() + ", UID in object meta: ");
    }

    @ParameterizedTest
    @EnumSource
    void an_update_with_the_uid_of_an_earlier_object_is_a_conflict_whatever_its_version(Kind kind) throws Exception {
        ObjectNode old = created(kind);
        client().send("DELETE", kind.one(), "");
        ObjectNode now = created(kind);
        assertThat(now.at("/metadata/uid")).isNotEqualTo(old.at("/metadata/uid"));

        refused(409, "PUT", kind.one(), old.toString());
        old.withObject("/metadata").set("resourceVersion", now.at("/metadata/resourceVersion"));
        JsonNode status = refused(409, "PUT", kind.one(), old.toString());

        assertThat(status.path("message").asText())
                .endsWith("UID in object meta: " + now.at("/metadata/uid").asText());
        assertThat(client().get(kind.one())).isEqualTo(now);
    }

    @ParameterizedTest
    @EnumSource
    void an_update_without_uid_of_a_missing_object_is_not_found(Kind kind) throws Exception {
        ObjectNode old = created(kind);
        client().send("DELETE", kind.one(), "");
        old.withObject("/metadata").remove("uid");

        refused(404, "PUT", kind.one(), old.toString());
    }

    @ParameterizedTest
    @EnumSource
    void an_old_version_is_a_conflict_before_anything_else_is_wrong(Kind kind) throws Exception {
        ObjectNode old = created(kind);
        ObjectNode next = old.deepCopy();
        next.withObject("/metadata").putObject("annotations").put("a", "b");
        assertThat(client().send("PUT", kind.one(), next.toString()).statusCode())
                .isEqualTo(200);
        old.withObject("/spec").put("leaseDurationSeconds", -1);

        refused(409, "PUT", kind.one(), old.toString());
    }

    @ParameterizedTest
    @EnumSource
    void a_patch_cannot_change_the_uid(Kind kind) throws Exception {
        created(kind);

        JsonNode status = refused(422, "PATCH", kind.one(), "{\"metadata\":{\"uid\":\"other\"}}");

        assertThat(status.path("reason").asText()).isEqualTo("Invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"uid", "resourceVersion"})
    void a_deletion_with_a_precondition_that_does_not_hold_is_a_conflict(String field) throws Exception {
        ObjectNode there = created(Kind.SERVICE);
        String body = "{\"kind\":\"DeleteOptions\",\"preconditions\":{\"%s\":\"%s\"}}";

        refused(409, "DELETE", Kind.SERVICE.one(), body.formatted(field, "7777"));
        String right = there.at("/metadata/" + field).asText();

        assertThat(client().send("DELETE", Kind.SERVICE.one(), body.formatted(field, right))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void a_lease_whose_transitions_overflowed_is_invalid() throws Exception {
        ObjectNode lease = created(Kind.LEASE);
        lease.withObject("/spec").put("leaseTransitions", Integer.MIN_VALUE);

        JsonNode status = refused(422, "PUT", Kind.LEASE.one(), lease.toString());

        assertThat(status.path("message").asText())
                .contains("spec.leaseTransitions: must be greater than or equal to 0");
    }

    @Test
    void an_update_of_a_lease_without_a_version_is_invalid() throws Exception {
        ObjectNode lease = created(Kind.LEASE);
        lease.withObject("/metadata").remove("resourceVersion");

        refused(422, "PUT", Kind.LEASE.one(), lease.toString());
    }
}
