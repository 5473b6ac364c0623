package dev.poolkeeper.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.poolkeeper.app.TestLog;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.daemon.Daemon;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Configurations and environments: what check-config says about each, and whether a daemon starts with it. */
class StartCheckTest {

    /** Nothing listens there. */
    private static final String NOWHERE = "127.0.0.1:1";

    @TempDir
    private Path folder;

    private Path marker;

    /**
     * A configuration in an environment.
     *
     * @param keys of the configuration, beside those of Azure; {@code FOLDER} stands for the folder of the files
     * @param environment variables in the form {@code NAME=VALUE}, with the same {@code FOLDER}
     * @param faults a part of each fault, in order; none if a daemon can start
     */
    private record Row(String keys, List<String> environment, List<String> faults) {}

    private static Row row(String keys, List<String> environment, String... faults) {
        return new Row(keys, environment, List.of(faults));
    }

    /** Spans are sent by OTLP with another variable that begins with {@code OTEL_EXPORTER_OTLP_}. */
    private static Row otlp(String variable, String... faults) {
        return row("", List.of(HERE, "OTEL_TRACES_EXPORTER=otlp", "OTEL_EXPORTER_OTLP_" + variable), faults);
    }

    private static final String HERE = "KUBECONFIG=FOLDER/good";

    /** Keys without a client. */
    private static final String NO_CLIENT = "# no client";

    private static final List<Row> ROWS = List.of(
            // the API server
            row("kubeconfig: good", List.of()),
            row("", List.of(HERE)),
            row("", List.of("HOME=FOLDER/home")),
            row("", List.of("KUBECONFIG=FOLDER/none:FOLDER/good")),
            row("kubeconfig: good", List.of("KUBECONFIG=FOLDER/refused")),
            row("kubeContext: second", List.of(HERE)),
            row("", List.of("KUBECONFIG=FOLDER/plugin")),
            row("", List.of("KUBECONFIG=FOLDER/none"), "KUBECONFIG: found \""),
            row("", List.of("KUBECONFIG=FOLDER/empty"), "empty: current-context: is missing"),
            row("", List.of("KUBECONFIG=FOLDER"), "FOLDER: is a directory"),
            row("", List.of("KUBECONFIG=FOLDER/broken"), "broken:"),
            row("kubeContext: third", List.of(HERE), "kubeContext: found \"third\", must be one of"),
            row("kubeconfig: none", List.of(HERE), "kubeconfig: found \"none\", must be a kubeconfig file"),
            row("kubeconfig: refused", List.of(HERE), "users[0].user.auth-provider: is not supported"),
            row("", List.of("KUBECONFIG=FOLDER/refused"), "users[0].user.auth-provider: is not supported"),
            row("", List.of("KUBECONFIG=FOLDER/missing-plugin"), "users[0].user.exec.command: found \"FOLDER/gone\""),
            row("", List.of("KUBECONFIG=FOLDER/two-faults"), "clusters[0].cluster.server", "users[0].user.tokenn"),
            // proxies
            row("", List.of(HERE, "HTTPS_PROXY=http://" + NOWHERE, "NO_PROXY=.corp, 10.*,*.x")),
            row("", List.of(HERE, "HTTPS_PROXY=socks5://proxy:1080"), "HTTPS_PROXY: "),
            row("", List.of(HERE, "https_proxy=https://proxy"), "HTTPS_PROXY: "),
            row("", List.of(HERE, "HTTP_PROXY=http://u:secret@proxy"), "HTTP_PROXY: "),
            row("", List.of("KUBECONFIG=FOLDER/proxied"), "clusters[0].cluster.proxy-url"),
            // OpenTelemetry
            otlp("ENDPOINT=http://" + NOWHERE),
            otlp("ENDPOINT=HTTP://" + NOWHERE),
            row("", List.of(HERE, "OTEL_SDK_DISABLED=true", "OTEL_TRACES_EXPORTER=zipkinn")),
            row("", List.of(HERE, "OTEL_METRICS_EXPORTER=prometheus,none")),
            row("", List.of(HERE, "OTEL_METRICS_EXPORTER=otlp,none"), "OTEL_…: OpenTelemetry: "),
            row("", List.of(HERE, "OTEL_TRACES_EXPORTER=zipkinn"), "zipkinn"),
            row("", List.of(HERE, "OTEL_METRICS_EXPORTER=otlpp"), "otlpp"),
            row("", List.of(HERE, "OTEL_LOGS_EXPORTER=otlpp"), "otlpp"),
            row("", List.of(HERE, "OTEL_METRICS_EXPORTER=otlp", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"), "OTEL_…: "),
            row("", List.of(HERE, "OTEL_METRICS_EXPORTER=otlp", "OTEL_EXPORTER_OTLP_PROTOCOL=smoke"), "smoke"),
            otlp("ENDPOINT=collector:4318", "ENDPOINT: found \"collector:4318\", must be an http or https address"),
            otlp("ENDPOINT=http://", "ENDPOINT: found \"http://\""),
            otlp("ENDPOINT=http://host name", "ENDPOINT: found \"http://host name\""),
            otlp("ENDPOINT=http://u:secret@host", "ENDPOINT: found \"http://***@host\""),
            otlp("ENDPOINT=http://u:secret@host name:x", "ENDPOINT: found \"http://***@host name:x\""),
            otlp("TRACES_ENDPOINT=ftp://u:secret@host", "TRACES_ENDPOINT: found \"ftp://***@host\""),
            otlp("METRICS_ENDPOINT=not used"),
            otlp("HEADERS=api-key=secret,b=c%20d"),
            otlp("HEADERS=api-key:secret", "HEADERS: found ***, must be"),
            otlp("HEADERS=api-key=secret%0a", "HEADERS: found ***, must be"),
            otlp("HEADERS=api-key=secret%x", "HEADERS: found ***, must be"),
            otlp("HEADERS=api-key=secret,b c=d", "HEADERS: found ***, must be"),
            otlp("TRACES_HEADERS=secret", "TRACES_HEADERS: found ***, must be"),
            otlp("TIMEOUT=soon", "otel.exporter.otlp.timeout"),
            otlp("CERTIFICATE=FOLDER/none", "OTEL_…: "),
            otlp("CERTIFICATE=FOLDER/broken", "OTEL_…: "),
            otlp("COMPRESSION=zst", "compressionMethod"),
            row("", List.of(HERE, "OTEL_TRACES_SAMPLER=sometimes"), "sometimes"),
            row("", List.of(HERE, "OTEL_PROPAGATORS=b4"), "b4"),
            row("", List.of(HERE, "OTEL_RESOURCE_ATTRIBUTES=a"), "otel.resource.attributes"),
            row(
                    "",
                    List.of(HERE, "OTEL_METRIC_EXPORT_INTERVAL=often", "OTEL_METRICS_EXPORTER=otlp"),
                    "otel.metric.export.interval"),
            row("", List.of(HERE, "OTEL_CONFIG_FILE=FOLDER/none"), "OTEL_…: "),
            // the identity
            row(
                    "",
                    List.of(HERE, "AZURE_TENANT_ID=not a tenant!"),
                    "AZURE_TENANT_ID: found \"not a tenant!\", must be"),
            row("", List.of(HERE, "AZURE_TENANT_ID=<tenant-id>"), "AZURE_TENANT_ID: found \"<tenant-id>\", which is"),
            row("", List.of(HERE, "AZURE_CLIENT_ID=CLIENT-ID"), "AZURE_CLIENT_ID: found \"CLIENT-ID\", which is"),
            row("", List.of(HERE, "AZURE_FEDERATED_TOKEN_FILE=FOLDER/good")),
            row(
                    "",
                    List.of(HERE, "AZURE_FEDERATED_TOKEN_FILE=FOLDER/none"),
                    "AZURE_FEDERATED_TOKEN_FILE: is \"FOLDER/none\", must be a file"),
            row(
                    NO_CLIENT,
                    List.of(HERE, "AZURE_FEDERATED_TOKEN_FILE=FOLDER/good"),
                    "poolkeeper.yaml: aadClientId: is missing, AZURE_FEDERATED_TOKEN_FILE needs it"),
            row(
                    NO_CLIENT,
                    List.of(HERE, "AZURE_CLIENT_SECRET=secret"),
                    "poolkeeper.yaml: aadClientId: is missing, AZURE_CLIENT_SECRET needs it"),
            // the pod
            row("", List.of(HERE, "POD_NAME=poolkeeper-7d4b9c-x2x9q", "POD_NAMESPACE=poolkeeper")),
            row("", List.of(HERE, "POD_NAME=" + "x".repeat(253))),
            row("", List.of(HERE, "POD_NAMESPACE=Not A Namespace"), "POD_NAMESPACE"),
            // several at once
            row(
                    "safetyBrake: {percent: 101}",
                    List.of("HTTPS_PROXY=socks5://proxy", "OTEL_PROPAGATORS=b4"),
                    "safetyBrake.percent",
                    "HTTPS_PROXY",
                    "b4"),
            row(
                    "aadClientCertPath: gone.pfx",
                    List.of("KUBECONFIG=FOLDER/two-faults", "OTEL_PROPAGATORS=b4"),
                    "b4",
                    "aadClientCertPath",
                    "clusters[0].cluster.server",
                    "users[0].user.tokenn"));

    private void write(String name, String text) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(folder.resolve(name), text.replace("FOLDER", folder.toString()));
    }

    private static String kubeconfig(String cluster, String user) {
        return """
            apiVersion: v1
            kind: Config
            clusters: [{name: a, cluster: {%s}}]
            users: [{name: b, user: {%s}}]
            contexts: [{name: first, context: {cluster: a, user: b}}, {name: second, context: {cluster: a, user: b}}]
            current-context: first
            """.formatted(cluster, user);
    }

    private Path file(Row row) throws IOException {
        String server = "server: 'https://" + NOWHERE + "'";
        String plugin = "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ";
        write("good", kubeconfig(server, "token: t"));
        write("home/.kube/config", kubeconfig(server, "token: t"));
        write("empty", "");
        write("broken", "clusters: [\n");
        write("refused", kubeconfig(server, "auth-provider: {name: azure}"));
        write("missing-plugin", kubeconfig(server, "exec: {" + plugin + "'FOLDER/gone'}"));
        write("plugin", kubeconfig(server, "exec: {" + plugin + "'FOLDER/plugin.sh'}"));
        write("two-faults", kubeconfig("server: nowhere", "tokenn: t"));
        write("proxied", kubeconfig(server + ", proxy-url: 'socks5://proxy:1'", "token: t"));
        write("plugin.sh", "#!/bin/sh\n: > FOLDER/marker\nexit 1\n");
        assertThat(folder.resolve("plugin.sh").toFile().setExecutable(true)).isTrue();
        marker = folder.resolve("marker");
        String secret = row.keys.startsWith("aadClientCertPath") ? "" : "aadClientSecret: no-secret\n";
        String client = row.keys.equals(NO_CLIENT) ? "" : "aadClientId: c\n" + secret;
        write("poolkeeper.yaml", """
            resourceManagerEndpoint: https://%1$s
            authorityHost: https://%1$s
            subscriptionId: s
            resourceGroup: g
            tenantId: t
            %2$sadmin: {port: 0}
            %3$s
            """.formatted(NOWHERE, client, row.keys));
        return folder.resolve("poolkeeper.yaml");
    }

    /** OpenTelemetry's variables become system properties, which mean the same. */
    private Map<String, String> environment(Row row) {
        Map<String, String> environment =
                new HashMap<>(Map.of("HOME", folder.resolve("nobody").toString()));
        for (String variable : row.environment) {
            String name = variable.substring(0, variable.indexOf('='));
            String value = variable.substring(name.length() + 1).replace("FOLDER", folder.toString());
            if (name.startsWith("OTEL_")) {
                System.setProperty(property(name), value);
            } else {
                environment.put(name, value);
            }
        }
        return environment;
    }

    private static String property(String variable) {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    @AfterEach
    void restore() {
        TestLog.restore();
        ROWS.stream()
                .flatMap(row -> row.environment.stream())
                .filter(variable -> variable.startsWith("OTEL_"))
                .forEach(variable -> System.clearProperty(property(variable.substring(0, variable.indexOf('=')))));
    }

    private static List<String> lines(BadInputException refused) {
        return refused.faults().stream().map(InputFault::toString).toList();
    }

    private List<String> linesOfCheck(Path file, Map<String, String> environment) {
        try {
            Configuration unused = Daemons.check(file, environment);
            return List.of();
        } catch (BadInputException e) {
            return lines(e);
        }
    }

    private List<String> linesOfStart(Path file, Map<String, String> environment) throws IOException {
        try (Daemon unused = Daemons.start(file, environment, UnaryOperator.identity(), warning -> {})) {
            return List.of();
        } catch (BadInputException e) {
            return lines(e);
        }
    }

    @ParameterizedTest
    @FieldSource("ROWS")
    @Rule(
            id = "I32",
            says = "check-config refuses what run refuses in the environment: kubeconfigs, proxies, AZURE_…, OTEL_…"
                    + " and the pod's namespace; all at once, with the same lines, without a request and without"
                    + " running an exec plugin. What it accepts, a daemon starts with.",
            source = "ours")
    void check_config_and_the_daemon_agree(Row row) throws IOException {
        // given
        Path file = file(row);
        Map<String, String> environment = environment(row);

        // when
        List<String> checked = linesOfCheck(file, environment);
        boolean ranPlugin = Files.exists(marker);
        List<String> started = linesOfStart(file, environment);

        // then
        assertThat(checked).hasSameSizeAs(row.faults);
        Stream<String> faults = row.faults.stream().map(fault -> fault.replace("FOLDER", folder.toString()));
        assertThat(checked)
                .zipSatisfy(faults.toList(), (line, fault) -> assertThat(line).contains(fault))
                .noneMatch(line -> line.contains(": AZURE_"));
        assertThat(started).isEqualTo(checked);
        assertThat(checked).noneMatch(line -> line.contains("secret"));
        assertThat(ranPlugin).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "::1, [0:0:0:0:0:0:0:1]"})
    void the_address_of_the_pages_can_be_used_in_a_url(String bound, String host) throws Exception {
        assumeTrue(isOfThisMachine(bound), "this machine has no IPv6");
        Row row = row("", List.of(HERE));
        Path file = file(row);
        Files.writeString(file, Files.readString(file).replace("{port: 0}", "{address: '" + bound + "', port: 0}"));

        try (Daemon daemon = Daemons.start(file, environment(row), UnaryOperator.identity(), warning -> {})) {
            assertThat(URI.create("http://" + daemon.address() + "/").getHost()).isEqualTo(host);
        }
    }

    private static boolean isOfThisMachine(String address) throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null;
    }

    @Test
    void where_nothing_names_an_api_server_the_values_say_that_it_was_not_checked() throws Exception {
        Row row = row("", List.of());

        Configuration configuration = Daemons.check(file(row), environment(row));

        assertThat(configuration.values())
                .contains(new Configuration.EffectiveValue(
                        "API server", "not checked", "here is no kubeconfig and no service account"));
        assertThat(linesOfStart(file(row), environment(row)))
                .singleElement()
                .asString()
                .startsWith("kubeconfig: found none");
    }

    @ParameterizedTest
    @CsvSource({
        "kubeconfig: good, HOME=FOLDER/nobody, kubeconfig",
        "kubeconfig: good, KUBECONFIG=FOLDER/refused, kubeconfig",
        "# no key, KUBECONFIG=FOLDER/good, environment: KUBECONFIG",
        "kubeContext: second, KUBECONFIG=FOLDER/good, environment: KUBECONFIG",
        "# no key, HOME=FOLDER/home, FOLDER/home/.kube/config"
    })
    void the_values_say_what_names_the_api_server(String keys, String variable, String origin) throws Exception {
        Row row = row(keys, List.of(variable));

        Configuration configuration = Daemons.check(file(row), environment(row));

        assertThat(configuration.values().getLast())
                .isEqualTo(new Configuration.EffectiveValue(
                        "API server", "https://" + NOWHERE, origin.replace("FOLDER", folder.toString())));
    }

    @Test
    void a_context_without_a_file_is_a_fault() throws Exception {
        Row row = row("kubeContext: second", List.of());
        Path file = file(row);
        Map<String, String> environment = environment(row);

        assertThat(linesOfCheck(file, environment)).singleElement().asString().startsWith("kube");
        assertThat(linesOfStart(file, environment)).isEqualTo(linesOfCheck(file, environment));
    }
}
