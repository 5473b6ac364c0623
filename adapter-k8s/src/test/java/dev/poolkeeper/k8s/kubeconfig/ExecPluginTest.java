package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.KubeconfigFixture.authority;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.Waiting;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.Credential;
import dev.poolkeeper.k8s.kubeconfig.TlsApiServer.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key exec of a user: shell scripts print the credentials. */
class ExecPluginTest {

    private static final String V1 = "client.authentication.k8s.io/v1";
    private static final String TOKEN = """
        n=$(cat %1$s 2>/dev/null); n=$((n + 1)); echo $n > %1$s
        printenv KUBERNETES_EXEC_INFO > %1$s.info
        echo "{\\"apiVersion\\": \\"client.authentication.k8s.io/v1\\", \\"kind\\": \\"ExecCredential\\", \\"status\\": {\\"token\\": \\"$1$SUFFIX-$n\\"%2$s}}"
        """;

    @TempDir
    private Path folder;

    private KubeconfigFixture kubeconfig;
    private TlsApiServer server;

    @BeforeEach
    void start() throws Exception {
        kubeconfig = new KubeconfigFixture(folder);
        kubeconfig.environment.put("PATH", folder + ":" + System.getenv("PATH"));
        server = new TlsApiServer("127.0.0.1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A shell script as the plugin. */
    private void plugin(String script) throws Exception {
        Path file = Files.writeString(folder.resolve("plugin"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /** One that prints a token with the number of the run, and {@code more} fields. */
    private void printsTokens(String more) throws Exception {
        plugin(TOKEN.formatted(folder.resolve("runs"), more));
    }

    private KubeconfigFixture with(String exec) throws Exception {
        return kubeconfig.write(
                "server: \"https://127.0.0.1:" + server.port() + "\", " + authority(), "exec: {" + exec + "}");
    }

    private KubeconfigFixture usual() throws Exception {
        return with("apiVersion: " + V1 + ", command: plugin, interactiveMode: Never");
    }

    @Test
    void its_arguments_and_variables_are_passed_on() throws Exception {
        printsTokens("");

        Seen seen = with("apiVersion: " + V1
                        + ", command: plugin, args: [ab, \"; exit 1\"], env: [{name: SUFFIX, value: c}],"
                        + " interactiveMode: IfAvailable")
                .sent(server);

        assertThat(seen.authorization()).isEqualTo("Bearer abc-1");
    }

    @Test
    void its_variables_are_those_of_the_environment_and_its_own_which_take_precedence() throws Exception {
        plugin("env > " + folder.resolve("variables"));
        kubeconfig.environment.put("OTHER", "of the environment");
        kubeconfig.environment.put("SUFFIX", "of the environment");
        Credential credential = with("apiVersion: " + V1
                        + ", command: plugin, env: [{name: SUFFIX, value: own}, {name: NONE, value: null}],"
                        + " interactiveMode: Never")
                .servers()
                .inFile(kubeconfig.file, null)
                .credential();
        assertThatThrownBy(credential::authorization).hasMessageContaining("printed no ExecCredential");

        List<String> variables = Files.readAllLines(folder.resolve("variables"));
        assertThat(variables).contains("OTHER=of the environment", "SUFFIX=own", "NONE=");
        assertThat(variables.stream().map(line -> line.substring(0, line.indexOf('='))))
                .as("besides those that a shell sets")
                .filteredOn(name -> !List.of("PWD", "OLDPWD", "SHLVL", "_").contains(name))
                .containsExactlyInAnyOrder("OTHER", "SUFFIX", "NONE", "PATH", "KUBERNETES_EXEC_INFO");
    }

    @Test
    void of_the_files_with_its_name_the_first_that_can_be_run_is_run() throws Exception {
        printsTokens("");
        Files.createDirectories(folder.resolve("a/plugin"));
        Files.createDirectories(folder.resolve("b"));
        Files.writeString(folder.resolve("b/plugin"), "#!/bin/sh\nexit 1\n");
        kubeconfig.environment.put("PATH", "%1$s/none::%1$s/a:%1$s/b:%1$s:/usr/bin:/bin".formatted(folder));

        assertThat(usual().sent(server).authorization()).isEqualTo("Bearer -1");
    }

    @Test
    @Rule(
            id = "V49",
            says = "An exec plugin gets KUBERNETES_EXEC_INFO: that there is no terminal, and with provideClusterInfo"
                    + " the cluster.",
            source = "Kubernetes, *Client authentication (v1)*")
    void it_gets_the_cluster_if_it_asks_for_it() throws Exception {
        printsTokens("");
        kubeconfig.write(
                "server: \"https://127.0.0.1:" + server.port() + "\", tls-server-name: 127.0.0.1, " + authority()
                        + ", extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: x}}]",
                "exec: {apiVersion: " + V1 + ", command: plugin, interactiveMode: Never, provideClusterInfo: true}");

        kubeconfig.sent(server);

        JsonNode info = info();
        assertThat(info.path("apiVersion").asText()).isEqualTo(V1);
        assertThat(info.path("kind").asText()).isEqualTo("ExecCredential");
        JsonNode spec = info.path("spec");
        assertThat(spec.path("interactive").booleanValue()).isFalse();
        assertThat(spec.path("cluster").path("server").asText()).isEqualTo("https://127.0.0.1:" + server.port());
        assertThat(spec.path("cluster").path("tls-server-name").asText()).isEqualTo("127.0.0.1");
        assertThat(spec.path("cluster").path("certificate-authority-data").binaryValue())
                .asString()
                .isEqualTo(TlsApiServer.AUTHORITY.certificatePem());
        assertThat(spec.path("cluster").path("config").path("audience").asText())
                .isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource({
        "tls-server-name, kube.test, text",
        "insecure-skip-tls-verify, true, truth",
        "proxy-url, http://127.0.0.1:3128, text",
        "disable-compression, true, truth",
        "disable-compression, false, truth",
        "extensions, '[{name: another, extension: x}]', none"
    })
    void of_the_keys_of_its_cluster_it_gets_the_one_that_is_set(String key, String value, String type)
            throws Exception {
        printsTokens("");
        boolean isInsecure = key.startsWith("insecure");
        kubeconfig.write(
                "server: \"https://127.0.0.1:1\", " + key + ": " + (type.equals("text") ? '"' + value + '"' : value)
                        + (isInsecure ? "" : ", " + authority()),
                "exec: {apiVersion: " + V1 + ", command: plugin, interactiveMode: Never, provideClusterInfo: true}");

        kubeconfig.servers().inFile(kubeconfig.file, null).credential().authorization();

        JsonNode cluster = info().path("spec").path("cluster");
        List<String> names = new ArrayList<>();
        cluster.fieldNames().forEachRemaining(names::add);
        List<String> expected = new ArrayList<>(List.of("server", "config"));
        if (!type.equals("none")) {
            expected.add(key);
            assertThat(cluster.path(key).asText()).isEqualTo(value);
            assertThat(cluster.path(key).isBoolean()).isEqualTo(type.equals("truth"));
        }
        if (!isInsecure) {
            expected.add("certificate-authority-data");
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(cluster.path("config").isNull()).isTrue();
    }

    @Test
    void a_key_next_to_its_extension_of_the_cluster_is_refused() throws Exception {
        printsTokens("");
        kubeconfig.write(
                "server: \"https://127.0.0.1:" + server.port() + "\", " + authority()
                        + ", extensions: [{name: client.authentication.k8s.io/exec, audience: x}]",
                "exec: {apiVersion: " + V1 + ", command: plugin, interactiveMode: Never, provideClusterInfo: true}");

        assertThat(kubeconfig.faults())
                .isEqualTo("clusters[0].cluster.extensions[0].audience: unknown key, must be one of name, extension");
    }

    private JsonNode info() throws Exception {
        return new ObjectMapper().readTree(folder.resolve("runs.info").toFile());
    }

    @Test
    void without_asking_it_gets_no_cluster() throws Exception {
        printsTokens("");

        usual().sent(server);

        assertThat(info().path("spec").has("cluster")).isFalse();
        assertThat(info().path("spec").path("interactive").isBoolean()).isTrue();
    }

    @Test
    @Rule(
            id = "V50",
            says = "An exec plugin runs again when its credential has expired or was refused, and not before.",
            source = "client-go, `plugin/pkg/client/auth/exec`")
    void it_runs_again_when_the_credential_has_expired() throws Exception {
        printsTokens(", \\\"expirationTimestamp\\\": \\\"%s\\\""
                .formatted(kubeconfig.time.instant().plusSeconds(60)));
        ApiServer read = usual().servers().inFile(kubeconfig.file, null);

        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer -1");
        kubeconfig.time.advance(Duration.ofSeconds(59));
        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer -1");
        kubeconfig.time.advance(Duration.ofSeconds(1));
        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer -2");
    }

    @ParameterizedTest
    @CsvSource({
        "expirationTimestamp, null",
        "expirationTimestamp, ''",
        "clientCertificateData, null",
        "clientCertificateData, ''",
        "clientKeyData, null",
        "clientKeyData, ''",
        "other, null"
    })
    void a_field_that_is_null_or_empty_counts_as_absent(String field, String value) throws Exception {
        printsTokens(", \\\"%s\\\": %s".formatted(field, value.isEmpty() ? "\\\"\\\"" : value));
        ApiServer read = usual().servers().inFile(kubeconfig.file, null);

        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer -1");
        kubeconfig.time.advance(Duration.ofDays(365));
        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer -1");
    }

    @Test
    void it_runs_again_when_the_credential_was_refused() throws Exception {
        printsTokens("");
        server.allow(seen -> seen.authorization().equals("Bearer -2"));
        ApiServer read = usual().servers().inFile(kubeconfig.file, null);

        assertThat(catching(read)).isNull();

        assertThat(server.seen()).extracting(Seen::authorization).containsExactly("Bearer -1", "Bearer -2");
    }

    private static Throwable catching(ApiServer read) {
        try (var client = dev.poolkeeper.k8s.client.KubernetesClients.forObjects(read)) {
            return org.assertj.core.api.Assertions.catchThrowable(
                    () -> client.nodes().list());
        }
    }

    @Test
    void a_refusal_of_an_earlier_credential_leaves_the_present_one() throws Exception {
        printsTokens("");
        Credential credential = usual().servers().inFile(kubeconfig.file, null).credential();
        assertThat(credential.authorization()).contains("Bearer -1");

        credential.refused("Bearer -1");
        assertThat(credential.authorization()).contains("Bearer -2");
        credential.refused("Bearer -1");
        assertThat(credential.authorization()).contains("Bearer -2");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        token: t                                               | Bearer t       | ''
        tokenFile: token                                       | Bearer of-file | ''
        username: u, password: p                               | Basic dTpw     | ''
        client-certificate: client.pem, client-key: client.pem | ''             | CN=anna
        """)
    void a_static_credential_takes_precedence(String keys, String authorization, String client) throws Exception {
        plugin("exit 1");
        Files.writeString(folder.resolve("token"), "of-file");
        HeldCertificate anna = new HeldCertificate.Builder()
                .commonName("anna")
                .signedBy(TlsApiServer.AUTHORITY)
                .build();
        Files.writeString(folder.resolve("client.pem"), anna.certificatePem() + anna.privateKeyPkcs8Pem());

        kubeconfig.write(
                "server: \"https://127.0.0.1:" + server.port() + "\", " + authority(),
                keys + ", exec: {apiVersion: " + V1 + ", command: plugin, interactiveMode: Never}");

        Seen seen = kubeconfig.sent(server);
        assertThat(seen.authorization()).isEqualTo(authorization);
        assertThat(seen.client()).isEqualTo(client);
    }

    @Test
    void it_may_print_a_client_certificate() throws Exception {
        HeldCertificate anna = new HeldCertificate.Builder()
                .commonName("anna")
                .signedBy(TlsApiServer.AUTHORITY)
                .build();
        Files.writeString(
                folder.resolve("credential"),
                new ObjectMapper()
                        .writeValueAsString(java.util.Map.of(
                                "apiVersion",
                                V1,
                                "kind",
                                "ExecCredential",
                                "status",
                                java.util.Map.of(
                                        "clientCertificateData", anna.certificatePem(),
                                        "clientKeyData", anna.privateKeyPkcs8Pem()))));
        plugin("cat " + folder.resolve("credential"));

        Seen seen = usual().sent(server);

        assertThat(seen.client()).isEqualTo("CN=anna");
        assertThat(seen.authorization()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        echo you are not logged in >&2; echo run login >&2; exit 3 | exit code 3: you are not logged in run login
        exit 1                                      | exit code 1
        echo '{'                                    | printed something that is not JSON
        true                                        | printed no ExecCredential of client.authentication.k8s.io/v1
        echo '{"apiVersion": "v1", "kind": "ExecCredential", "status": {"token": "s3cret"}}' | printed no ExecCredential of client.authentication.k8s.io/v1
        echo '{"apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential", "status": {"token": "s3cret"}}' | printed no ExecCredential of client.authentication.k8s.io/v1
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "Credential", "status": {"token": "s3cret"}}' | printed no ExecCredential of client.authentication.k8s.io/v1
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "s3cret"}}' | printed no ExecCredential of client.authentication.k8s.io/v1
        echo '["s3cret"]'                           | printed no ExecCredential of client.authentication.k8s.io/v1
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "s3cret", "clientKeyData": "s3cret"}}' | printed neither a token nor a client certificate with its key
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "s3cret", "clientCertificateData": "s3cret"}}' | printed neither a token nor a client certificate with its key
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential"}' | printed neither a token nor a client certificate with its key
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": null}}' | printed neither a token nor a client certificate with its key
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"clientKeyData": "s3cret"}}' | printed neither a token nor a client certificate with its key
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "s3 cret"}}' | printed a credential that contains characters that an HTTP header does not allow
        echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "s3cret", "expirationTimestamp": "soon"}}' | printed an expirationTimestamp that is no date
        """)
    @Rule(
            id = "V51",
            says = "An exec plugin that fails, or prints no credential, is one line with its exit code and its own"
                    + " words from standard error; no message shows a credential.",
            source = "ours")
    void a_failure_is_one_line(String script, String failure) throws Exception {
        plugin(script);

        assertThat(usual().failure())
                .isEqualTo("exec plugin " + folder.resolve("plugin") + ": " + failure)
                .doesNotContain("s3");
    }

    @Test
    void a_failure_counts_for_all_clients_for_five_seconds() throws Exception {
        plugin("echo x >> " + folder.resolve("failures") + "; exit 1");
        ApiServer read = usual().servers().inFile(kubeconfig.file, null);
        catching(read);
        catching(read);
        assertThat(Files.readAllLines(folder.resolve("failures"))).hasSize(1);

        kubeconfig.time.advance(Duration.ofMillis(4_999));
        catching(read);
        assertThat(Files.readAllLines(folder.resolve("failures"))).hasSize(1);

        kubeconfig.time.advance(Duration.ofMillis(1));
        catching(read);
        assertThat(Files.readAllLines(folder.resolve("failures"))).hasSize(2);
    }

    @Test
    void a_program_that_cannot_be_started_is_one_line() throws Exception {
        plugin("");
        Files.writeString(folder.resolve("plugin"), "#!/no/such/interpreter\n");

        assertThat(usual().failure())
                .startsWith("exec plugin " + folder.resolve("plugin") + ": cannot be started: ")
                .doesNotContain("\n");
    }

    @Test
    void after_a_minute_it_is_ended_with_all_that_it_has_started() throws Exception {
        plugin("sleep 1000 &\necho $! > %1$s.new; echo $$ >> %1$s.new; mv %1$s.new %1$s; exec sleep 1000\n"
                .formatted(folder.resolve("ids")));
        Credential credential = usual().servers().inFile(kubeconfig.file, null).credential();
        CompletableFuture<Optional<String>> authorization = CompletableFuture.supplyAsync(credential::authorization);
        Waiting.until(kubeconfig.time, "it runs", () -> Files.exists(folder.resolve("ids")));
        List<ProcessHandle> processes = Files.readAllLines(folder.resolve("ids")).stream()
                .map(id -> ProcessHandle.of(Long.parseLong(id)).orElseThrow())
                .toList();
        kubeconfig.time.awaitPending(1);

        kubeconfig.time.advance(Duration.ofMillis(59_999));
        assertThat(authorization).isNotDone();
        assertThat(processes).allMatch(ProcessHandle::isAlive);
        kubeconfig.time.advance(Duration.ofMillis(1));

        assertThat(authorization)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("did not end within 60 s");
        Waiting.until(kubeconfig.time, "they end", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void a_thread_that_is_interrupted_does_not_wait_for_it_and_stays_interrupted() throws Exception {
        plugin("sleep 1000");
        Credential credential = usual().servers().inFile(kubeconfig.file, null).credential();
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(credential::authorization).hasMessageEndingWith("plugin: interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void the_text_form_of_a_credential_shows_no_secret() throws Exception {
        assertThat(ExecCredential.parse(
                        "{\"apiVersion\": \"%s\", \"kind\": \"ExecCredential\", \"status\": {\"token\": \"s3cret\"}}"
                                .formatted(V1),
                        V1))
                .hasToString("ExecCredential[expires=null]");
    }

    @Test
    void it_is_looked_for_beside_the_kubeconfig_if_its_name_has_a_slash() throws Exception {
        printsTokens("");
        kubeconfig.environment.put("PATH", System.getenv("PATH"));

        assertThat(with("apiVersion: " + V1 + ", command: ./plugin, interactiveMode: Never")
                        .sent(server)
                        .authorization())
                .isEqualTo("Bearer -1");
        assertThat(usual().faults())
                .isEqualTo(
                        "users[0].user.exec.command: found \"plugin\", must be a program that exists and can be run.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never | command: is missing, must be a program
        apiVersion: client.authentication.k8s.io/v1, command: no-such, interactiveMode: Never, installHint: "Get it\\nthere" | command: found "no-such", must be a program that exists and can be run. Get it there
        command: plugin, interactiveMode: Never | apiVersion: is missing, must be one of [client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1]
        apiVersion: client.authentication.k8s.io/v1alpha1, command: plugin, interactiveMode: Never | apiVersion: found "client.authentication.k8s.io/v1alpha1", must be one of [client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1]
        apiVersion: client.authentication.k8s.io/v1, command: plugin | interactiveMode: is missing, must be one of [Never, IfAvailable]
        apiVersion: client.authentication.k8s.io/v1, command: plugin, interactiveMode: Always | interactiveMode: found "Always", must be one of [Never, IfAvailable], because there is no terminal
        apiVersion: client.authentication.k8s.io/v1, command: plugin, interactiveMode: never | interactiveMode: found "never", must be one of [Never, IfAvailable]
        apiVersion: client.authentication.k8s.io/v1, command: plugin, interactiveMode: Never, env: [{value: s3cret}] | env[0].name: is missing, must be a string
        apiVersion: client.authentication.k8s.io/v1, command: plugin, interactiveMode: Never, env: [{name: A, value: 377345}] | env[0].value: must be a string; put it in quotes
        apiVersion: client.authentication.k8s.io/v1, command: plugin, interactiveMode: Never, timeout: 5 | timeout: unknown key, must be one of command, args, env, apiVersion, installHint, provideClusterInfo, interactiveMode
        """)
    void a_value_or_key_that_cannot_be_obeyed_is_refused(String exec, String fault) throws Exception {
        printsTokens("");

        assertThat(with(exec).faults()).isEqualTo("users[0].user.exec." + fault);
    }

    @Test
    void the_older_version_needs_no_interactive_mode() throws Exception {
        plugin("echo '{\"apiVersion\": \"client.authentication.k8s.io/v1beta1\", \"kind\": \"ExecCredential\","
                + " \"status\": {\"token\": \"t\"}}'");

        assertThat(with("apiVersion: client.authentication.k8s.io/v1beta1, command: plugin, args: null, env: null")
                        .sent(server)
                        .authorization())
                .isEqualTo("Bearer t");
    }

    @Test
    void it_has_no_input_to_wait_for() throws Exception {
        plugin("cat > " + folder.resolve("input") + "\n" + TOKEN.formatted(folder.resolve("runs"), ""));

        assertThat(usual().sent(server).authorization()).isEqualTo("Bearer -1");
        assertThat(Files.readString(folder.resolve("input"))).isEmpty();
    }

    @Test
    void checking_a_kubeconfig_runs_no_plugin() throws Exception {
        printsTokens("");

        usual().servers().inFile(kubeconfig.file, null);

        assertThat(folder.resolve("runs")).doesNotExist();
    }
}
