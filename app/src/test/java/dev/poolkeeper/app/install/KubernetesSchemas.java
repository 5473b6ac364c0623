package dev.poolkeeper.app.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ClusterRoleBinding;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Role;
import io.kubernetes.client.openapi.models.V1RoleBinding;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1ValidatingAdmissionPolicy;
import io.kubernetes.client.openapi.models.V1ValidatingAdmissionPolicyBinding;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The schemas that Kubernetes publishes, as contained in its Java client: the fields of an object, which ones are
 * required, and their types. Of objects of the Prometheus operator only the metadata is checked.
 */
final class KubernetesSchemas {

    private interface Check {
        void validate(JsonElement object) throws IOException;
    }

    private record Schema(String apiVersion, Class<?> type, Check check) {}

    private static final Map<String, Schema> SCHEMAS = Map.ofEntries(
            Map.entry("ClusterRole", rbac(V1ClusterRole.class, V1ClusterRole::validateJsonElement)),
            Map.entry(
                    "ClusterRoleBinding", rbac(V1ClusterRoleBinding.class, V1ClusterRoleBinding::validateJsonElement)),
            Map.entry("Role", rbac(V1Role.class, V1Role::validateJsonElement)),
            Map.entry("RoleBinding", rbac(V1RoleBinding.class, V1RoleBinding::validateJsonElement)),
            Map.entry("ConfigMap", new Schema("v1", V1ConfigMap.class, V1ConfigMap::validateJsonElement)),
            Map.entry("Namespace", new Schema("v1", V1Namespace.class, V1Namespace::validateJsonElement)),
            Map.entry("Service", new Schema("v1", V1Service.class, V1Service::validateJsonElement)),
            Map.entry(
                    "ServiceAccount", new Schema("v1", V1ServiceAccount.class, V1ServiceAccount::validateJsonElement)),
            Map.entry("Job", new Schema("batch/v1", V1Job.class, V1Job::validateJsonElement)),
            Map.entry("Deployment", new Schema("apps/v1", V1Deployment.class, V1Deployment::validateJsonElement)),
            Map.entry(
                    "PodDisruptionBudget",
                    new Schema("policy/v1", V1PodDisruptionBudget.class, V1PodDisruptionBudget::validateJsonElement)),
            Map.entry(
                    "NetworkPolicy",
                    new Schema("networking.k8s.io/v1", V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement)),
            Map.entry(
                    "ValidatingAdmissionPolicy",
                    new Schema(
                            "admissionregistration.k8s.io/v1",
                            V1ValidatingAdmissionPolicy.class,
                            V1ValidatingAdmissionPolicy::validateJsonElement)),
            Map.entry(
                    "ValidatingAdmissionPolicyBinding",
                    new Schema(
                            "admissionregistration.k8s.io/v1",
                            V1ValidatingAdmissionPolicyBinding.class,
                            V1ValidatingAdmissionPolicyBinding::validateJsonElement)),
            Map.entry("ServiceMonitor", new Schema("monitoring.coreos.com/v1", Object.class, object -> {})),
            Map.entry("PrometheusRule", new Schema("monitoring.coreos.com/v1", Object.class, object -> {})));

    private KubernetesSchemas() {}

    private static Schema rbac(Class<?> type, Check check) {
        return new Schema("rbac.authorization.k8s.io/v1", type, check);
    }

    /** The fault of an object; empty if it has none. */
    static Optional<String> fault(JsonNode object) {
        String kind = object.path("kind").asText();
        Schema schema = SCHEMAS.get(kind);
        if (schema == null) {
            return Optional.of("unknown kind " + kind);
        }
        if (!object.path("apiVersion").asText().equals(schema.apiVersion())) {
            return Optional.of(kind + " is not of " + object.path("apiVersion"));
        }
        JsonElement json = JsonParser.parseString(object.toString());
        try {
            V1ObjectMeta.validateJsonElement(json.getAsJsonObject().get("metadata"));
            schema.check().validate(json);
            Gson gson = JSON.getGson();
            JsonElement readBack = gson.toJsonTree(gson.fromJson(json, schema.type()), schema.type());
            return difference(json, readBack, kind);
        } catch (IOException | RuntimeException e) {
            return Optional.of(kind + ": " + e.getMessage());
        }
    }

    /** The path of a value that is not read back as given; additions by a schema do not count. */
    private static Optional<String> difference(JsonElement given, JsonElement readBack, String place) {
        if (given.isJsonObject() && readBack.isJsonObject()) {
            JsonObject held = readBack.getAsJsonObject();
            return given.getAsJsonObject().entrySet().stream()
                    .flatMap(field -> (held.has(field.getKey())
                                    ? difference(
                                            field.getValue(), held.get(field.getKey()), place + "." + field.getKey())
                                    : Optional.of(place + "." + field.getKey() + " is lost"))
                            .stream())
                    .findFirst();
        }
        if (given.isJsonArray()
                && readBack.isJsonArray()
                && given.getAsJsonArray().size() == readBack.getAsJsonArray().size()) {
            return IntStream.range(0, given.getAsJsonArray().size())
                    .boxed()
                    .flatMap(
                            i -> difference(
                                    given.getAsJsonArray().get(i),
                                    readBack.getAsJsonArray().get(i),
                                    place + "[" + i + "]")
                                    .stream())
                    .findFirst();
        }
        return given.equals(readBack)
                ? Optional.empty()
                : Optional.of("%s: %s is read as %s".formatted(place, given, readBack));
    }
}
