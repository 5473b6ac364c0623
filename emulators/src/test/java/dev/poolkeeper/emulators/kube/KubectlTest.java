package dev.poolkeeper.emulators.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real {@code kubectl} over TLS with a token; skipped if none is installed. */
@Timeout(60)
class KubectlTest {

    private static final String WEB = """
        {"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop"},
         "spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local","clusterIP":"10.0.0.7",
                 "ports":[{"port":80,"protocol":"TCP","targetPort":8080}]}}\
        """;

    @TempDir
    Path directory;

    private KubeEmulator emulator;

    @BeforeAll
    static void find() {
        boolean installed = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kubectl")));
        assumeTrue(installed, "kubectl is not on the PATH: install Kubernetes' command line tool to run these tests");
    }

    @BeforeEach
    void start() throws IOException {
        emulator = KubeEmulator.start(KubeSettings.LIFELIKE.withToken("secret", "operator"));
        Files.writeString(directory.resolve("kubeconfig"), emulator.kubeconfig());
        emulator.apply(WEB);
    }

    @AfterEach
    void stop() {
        if (emulator != null) {
            emulator.close();
        }
    }

    private Process started(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "kubectl", "--kubeconfig", directory.resolve("kubeconfig").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", directory.toString());
        builder.environment().remove("KUBECONFIG");
        return builder.start();
    }

    private String kubectl(String... arguments) throws Exception {
        Process process = started(arguments);
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("kubectl ended").isTrue();
        return output;
    }

    @Test
    void get_prints_columns() throws Exception {
        assertThat(kubectl("get", "svc", "-n", "shop"))
                .containsPattern("NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\\(S\\) +AGE")
                .containsPattern("web +LoadBalancer +10\\.0\\.0\\.7 +<pending> +80/TCP");
        assertThat(kubectl("get", "nodes")).contains("No resources found");
    }

    @Test
    void describe_shows_endpoints_and_events() throws Exception {
        emulator.apply("""
            {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4","ports":[{"port":8080}],
             "metadata":{"name":"web-1","namespace":"shop","labels":{"kubernetes.io/service-name":"web"}},
             "endpoints":[{"addresses":["10.1.0.1"],"conditions":{"ready":true}}]}\
            """);
        String uid = kubectl("get", "svc", "web", "-n", "shop", "-o", "jsonpath={.metadata.uid}");
        emulator.apply("""
            {"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e","namespace":"shop"},
             "eventTime":"2026-03-01T11:00:00.000000Z","type":"Normal","reason":"LoadBalancerBackendPoolUpdated",
             "note":"a note","reportingController":"poolkeeper.dev/poolkeeper","reportingInstance":"p-0","action":"U",
             "regarding":{"kind":"Service","namespace":"shop","name":"web","uid":"%s"}}\
            """.formatted(uid));

        assertThat(kubectl("describe", "service", "web", "-n", "shop"))
                .containsPattern("External Traffic Policy: +Local")
                .containsPattern("Normal +LoadBalancerBackendPoolUpdated .* poolkeeper.dev/poolkeeper +a note");
    }

    @Test
    void annotate_patch_apply_and_delete_change_objects() throws Exception {
        Path manifest = Files.writeString(directory.resolve("api.yaml"), """
            apiVersion: v1
            kind: Service
            metadata: {name: api, namespace: shop}
            spec: {type: LoadBalancer, externalTrafficPolicy: Local, ports: [{port: 80}]}
            """);

        assertThat(kubectl("annotate", "svc", "web", "-n", "shop", "poolkeeper.dev/paused=true"))
                .isEqualTo("service/web annotated\n");
        assertThat(kubectl("patch", "svc", "web", "-n", "shop", "-p", "{\"spec\":{\"ports\":[{\"port\":443}]}}"))
                .isEqualTo("service/web patched\n");
        assertThat(kubectl(
                        "get",
                        "svc",
                        "web",
                        "-n",
                        "shop",
                        "-o",
                        "jsonpath={.metadata.annotations}{.spec.ports[*].port}"))
                .isEqualTo("{\"poolkeeper.dev/paused\":\"true\"}80 443");
        assertThat(kubectl("apply", "-f", manifest.toString())).isEqualTo("service/api created\n");
        Files.writeString(manifest, Files.readString(manifest).replace("Local", "Cluster"));
        assertThat(kubectl("apply", "-f", manifest.toString())).isEqualTo("service/api configured\n");
        assertThat(kubectl("apply", "-f", manifest.toString())).isEqualTo("service/api unchanged\n");
        assertThat(kubectl("delete", "svc", "api", "-n", "shop")).startsWith("service \"api\" deleted");
        assertThat(kubectl("get", "svc", "api", "-n", "shop"))
                .contains("Error from server (NotFound): services \"api\" not found");
    }

    @Test
    void watch_prints_changes_as_they_occur() throws Exception {
        Process watch = started("get", "svc", "-n", "shop", "--watch", "--output-watch-events");
        try (BufferedReader lines = watch.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).startsWith("EVENT");
            assertThat(lines.readLine()).startsWith("ADDED").contains("web");
            emulator.apply(WEB.replace("LoadBalancer", "ClusterIP"));
            assertThat(lines.readLine()).startsWith("MODIFIED").contains("ClusterIP");
        } finally {
            watch.destroyForcibly();
        }
    }

    @Test
    void auth_shows_the_user_and_their_permissions() throws Exception {
        emulator.faults().deny(request -> request.verb().equals("delete"));

        assertThat(kubectl("auth", "whoami")).containsPattern("Username +operator");
        assertThat(kubectl("auth", "can-i", "list", "services")).isEqualTo("yes\n");
        assertThat(kubectl("auth", "can-i", "delete", "services")).startsWith("no");
        assertThat(kubectl("delete", "svc", "web", "-n", "shop"))
                .contains("services \"web\" is forbidden: User \"operator\" cannot delete resource \"services\"");
    }
}
