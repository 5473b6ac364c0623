package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.marcnuri.helm.LintResult;
import dev.poolkeeper.app.config.Key;
import dev.poolkeeper.app.config.Key.Trait;
import dev.poolkeeper.app.config.KeySchema;
import dev.poolkeeper.app.config.Keys;
import dev.poolkeeper.contract.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTest {

    private static final String EVERYTHING = """
        global:
          imagePullSecrets: [{name: registry}]
          commonLabels: {team: network}
          priorityClassName: system-cluster-critical
        fullnameOverride: pools
        replicaCount: 3
        image: {repository: r.example/pk, digest: "sha256:%s", pullPolicy: Always}
        config:
          subscriptionId: s-1
          resourceGroup: g-1
          loadBalancerTag: {name: cluster, value: blue}
          policyObjects: true
          policyNamespace: rules
          admin: {port: 9000}
          leaderElection: {leaseName: blue, leaseNamespace: leases}
          safetyBrake: {percent: 10, minAddresses: 1000000}
          shutdownGraceInSeconds: 60
        retryPolicies:
          route.yaml: |
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: retries}
            spec:
              rules:
                - backendRefs: [{kind: Service, name: azure-resource-manager}]
                  retry: {attempts: 2}
        workloadIdentity: {enabled: true, clientId: c-1, tenantId: t-1}
        serviceAccount: {name: keeper, annotations: {a: b}}
        podDisruptionBudget: {maxUnavailable: "50%%"}
        terminationGracePeriodSeconds: 90
        podAnnotations: {c: d}
        podLabels: {e: f}
        extraEnv: [{name: OTEL_EXPORTER_OTLP_ENDPOINT, value: "http://otel:4317"}]
        volumes: [{name: certificate, secret: {secretName: certificate}}]
        volumeMounts: [{name: certificate, mountPath: /etc/certificate, readOnly: true}]
        tolerations: [{key: CriticalAddonsOnly, operator: Exists}]
        topologySpreadConstraints:
          - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {a: b}}}
        networkPolicy:
          enabled: true
          ingressFrom: [{namespaceSelector: {matchLabels: {name: monitoring}}}]
          extraEgress: [{ports: [{port: 4317, protocol: TCP}]}]
        prometheus:
          servicemonitor: {enabled: true, labels: {release: prometheus}}
          rules: {enabled: true}
        dashboards: {enabled: true}
        """.formatted("0".repeat(64));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "replicaCount: 1",
                "clientSecret: {existingSecret: azure}",
                "networkPolicy: {enabled: true}",
                "global: {rbac: {create: false}}\nserviceAccount: {create: false, name: mine}",
                "prometheus: {annotations: false, servicemonitor: {enabled: true}, rules: {enabled: true}}",
                "dashboards: {enabled: true}",
                "readinessGatePolicy: {enabled: true}",
                "  readinessGate: {enabled: true, namespaces: [shop]}\nreadinessGatePolicy: {enabled: true}",
                "podDisruptionBudget: {minAvailable: 2}",
                "affinity: {nodeAffinity: {}}",
            })
    @Rule(
            id = "H3",
            says = "For any values that the chart's schema allows, it renders objects that match the Kubernetes"
                    + " schemas.",
            source = "Kubernetes API")
    void rendered_objects_match_the_kubernetes_schemas(String values) {
        assertAccepted(Chart.render(Chart.PLACE + values));
    }

    @Test
    void with_every_option_enabled_the_objects_match_the_schemas() {
        List<JsonNode> objects = Chart.render(EVERYTHING);

        assertAccepted(objects);
        assertThat(objects)
                .extracting(object -> object.path("kind").asText())
                .contains("NetworkPolicy", "ServiceMonitor", "PodDisruptionBudget", "Service");
        JsonNode pod = Chart.pod(objects);
        assertThat(pod.at("/metadata/labels/azure.workload.identity~1use").asText())
                .isEqualTo("true");
        assertThat(pod.at("/spec/containers/0/image").asText()).isEqualTo("r.example/pk@sha256:" + "0".repeat(64));
        assertThat(pod.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(90);
        assertThat(Chart.the(objects, "PodDisruptionBudget")
                        .at("/spec/maxUnavailable")
                        .asText())
                .isEqualTo("50%");
        assertThat(objects)
                .allSatisfy(object ->
                        assertThat(object.at("/metadata/labels/team").asText()).isEqualTo("network"));
    }

    private static void assertAccepted(List<JsonNode> objects) {
        assertThat(objects).isNotEmpty().extracting(KubernetesSchemas::fault).containsOnly(Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "/spec, replica, 2, V1DeploymentSpec",
        "/spec, replicas, two, two",
        "/spec/template/spec/securityContext, runAsNonRoot, true, runAsNonRoot",
        "/spec/template/spec/containers/0/livenessProbe, httpget, x, V1Probe",
        "/spec, template, , template",
    })
    void a_planted_fault_is_found(String place, String field, String value, String message) {
        List<JsonNode> objects = Chart.render(Chart.PLACE);
        JsonNode deployment = Chart.the(objects, "Deployment");
        ObjectNode holder = (ObjectNode) deployment.at(place);
        if (value == null) {
            holder.remove(field);
        } else {
            holder.set(field, TextNode.valueOf(value));
        }

        assertThat(KubernetesSchemas.fault(deployment))
                .hasValueSatisfying(fault -> assertThat(fault).contains(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replicas: 2 | replicas",
                "replicaCount: many | replicaCount",
                "config: {dryrun: true} | dryrun",
                "config: {safetyBrake: {percent: 101}} | percent",
                "config: {safetyBrake: {percnt: 1}} | percnt",
                "config: {aadClientSecret: hush} | aadClientSecret",
                "config: {kubeconfig: x} | kubeconfig",
                "config: {admin: {port: 0}} | port",
                "image: {digest: latest} | digest",
                "jvmOptions: [Xmx] | jvmOptions",
                "prometheus: {servicemonitor: {interval: often}} | interval",
                "networkPolicy: {enabled: 1} | enabled",
            })
    @Rule(
            id = "H4",
            says = "The chart refuses unknown values, values out of bounds, and secrets in its configuration.",
            source = "")
    void invalid_values_are_refused(String values, String named) {
        assertThatThrownBy(() -> Chart.render(values))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("values don't meet the specifications of the schema")
                .hasMessageContaining(named);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replicaCount: 1 | config.subscriptionId must be set",
                "config: {subscriptionId: s} | config.resourceGroup must be set",
                "{config: {subscriptionId: s, resourceGroup: g}, workloadIdentity: {enabled: true}} |"
                        + " workloadIdentity.clientId must be set",
            })
    void missing_required_values_are_reported(String values, String message) {
        assertThatThrownBy(() -> Chart.render(values)).hasMessageContaining(message);
    }

    @Test
    void helm_lint_has_no_complaints() {
        LintResult result = Chart.helm().lint().strict().call();

        assertThat(result.isFailed()).isFalse();
        assertThat(result.getMessages())
                .allSatisfy(message -> assertThat(message).startsWith("[INFO]"));
    }

    @Test
    @Rule(
            id = "H5",
            says = "Pods meet the restricted profile of the Pod Security Standards and have a read-only file system.",
            source = "Kubernetes, Pod Security Standards")
    void pods_are_restricted() {
        JsonNode spec = Chart.pod(Chart.render(EVERYTHING)).path("spec");
        JsonNode container = spec.at("/containers/0/securityContext");

        assertThat(spec.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(spec.at("/securityContext/runAsUser").asInt()).isPositive();
        assertThat(spec.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(container.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(container.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(container.at("/capabilities/drop"))
                .extracting(JsonNode::asText)
                .containsExactly("ALL");
        assertThat(container.path("capabilities").has("add")).isFalse();
        assertThat(spec.has("hostNetwork") || spec.has("hostPID") || spec.has("hostIPC"))
                .isFalse();
        assertThat(spec.path("volumes")).noneMatch(volume -> volume.has("hostPath"));
    }

    @Test
    void by_default_two_replicas_are_spread_and_one_must_stay_available() {
        List<JsonNode> objects = Chart.render(Chart.PLACE);
        JsonNode pod = Chart.pod(objects);

        assertThat(Chart.the(objects, "Deployment").at("/spec/replicas").asInt())
                .isEqualTo(2);
        assertThat(Chart.the(objects, "PodDisruptionBudget")
                        .at("/spec/minAvailable")
                        .asInt())
                .isEqualTo(1);
        assertThat(pod.at("/spec/affinity/podAntiAffinity").isObject()).isTrue();
        assertThat(pod.at("/spec/containers/0/resources/limits/memory").asText())
                .isEqualTo("512Mi");
        assertThat(pod.at("/spec/containers/0/livenessProbe/httpGet/path").asText())
                .isEqualTo("/livez");
        assertThat(pod.at("/spec/containers/0/readinessProbe/httpGet/path").asText())
                .isEqualTo("/readyz");
        assertThat(pod.at("/spec/containers/0/ports/0/containerPort").asInt()).isEqualTo(8095);
        assertThat(pod.at("/spec/terminationGracePeriodSeconds").asInt()).isEqualTo(40);
        assertThat(Chart.find(objects, "NetworkPolicy")).isEmpty();
        assertThat(Chart.find(Chart.render(Chart.PLACE + "replicaCount: 1"), "PodDisruptionBudget"))
                .isEqualTo(Optional.empty());
    }

    @Test
    @Rule(
            id = "H14",
            says = "By default a pod requests as much memory as a daemon uses on a large cluster (332 MB), has a"
                    + " critical priority class, and may always be evicted while it is not ready.",
            source = "Kubernetes, pod priority and disruption budgets")
    void by_default_requests_match_actual_usage_and_pods_do_not_block_a_drain() {
        List<JsonNode> objects = Chart.render(Chart.PLACE);
        JsonNode pod = Chart.pod(objects);

        assertThat(pod.at("/spec/containers/0/resources/requests/memory").asText())
                .isEqualTo("384Mi");
        assertThat(pod.at("/spec/priorityClassName").asText()).isEqualTo("system-cluster-critical");
        assertThat(evictionPolicy(objects)).isEqualTo("AlwaysAllow");
        assertThat(evictionPolicy(Chart.render(
                        Chart.PLACE + "podDisruptionBudget: {unhealthyPodEvictionPolicy: IfHealthyBudget}")))
                .isEqualTo("IfHealthyBudget");
        assertThat(Chart.pod(Chart.render(Chart.PLACE + "global: {priorityClassName: ''}"))
                        .at("/spec")
                        .has("priorityClassName"))
                .isFalse();
    }

    private static String evictionPolicy(List<JsonNode> objects) {
        return Chart.the(objects, "PodDisruptionBudget")
                .at("/spec/unhealthyPodEvictionPolicy")
                .asText();
    }

    @Test
    void alert_rules_and_the_dashboard_are_rendered_only_if_enabled() throws IOException {
        List<JsonNode> objects = Chart.render(EVERYTHING);
        boolean areRules = Files.exists(Chart.FOLDER.resolve("rules/poolkeeper-alerts.yaml"));
        Path dashboard = Chart.FOLDER.resolve("dashboards/poolkeeper.json");

        assertThat(Chart.find(objects, "PrometheusRule").isPresent()).isEqualTo(areRules);
        assertThat(objects)
                .filteredOn(object -> object.at("/metadata/name").asText().equals("pools-dashboard"))
                .hasSize(Files.exists(dashboard) ? 1 : 0)
                .allSatisfy(object -> assertThat(new ObjectMapper()
                                .readTree(object.at("/data/poolkeeper.json").asText()))
                        .isEqualTo(new ObjectMapper().readTree(dashboard.toFile())));
        assertThat(Chart.find(Chart.render(Chart.PLACE), "PrometheusRule")).isEmpty();
    }

    static Stream<Key<?>> keysInTheChart() {
        return Keys.all().stream().filter(key -> !key.is(Trait.NOT_IN_CHART));
    }

    @ParameterizedTest
    @MethodSource("keysInTheChart")
    @Rule(
            id = "H6",
            says = "A change of the configuration replaces the pods only if it needs a restart to take effect.",
            source = "")
    void pods_are_replaced_only_for_changes_that_need_a_restart(Key<?> key) throws IOException {
        // the only key with another default in the chart than in the daemon
        String usual = key.name().equals("policyObjects") ? "{\"policyObjects\": true}" : "{}";
        boolean isReplaced = !checksum(KeySchema.someValueOf(key)).equals(checksum(usual));

        assertThat(isReplaced).isEqualTo(!key.is(Trait.LIVE));
    }

    /** @param config as JSON; added to the place */
    private static String checksum(String config) throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode values = json.createObjectNode();
        ObjectNode place =
                values.putObject("config").put("subscriptionId", "s-1").put("resourceGroup", "g-1");
        place.putObject("logging").put("format", "text");
        json.readerForUpdating(place).readTree(config);
        return Chart.pod(Chart.render(values.toString()))
                .at("/metadata/annotations/checksum~1config")
                .asText();
    }
}
