package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.KubeconfigFixture.authority;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.poolkeeper.contract.ConnectProxy;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.Credential;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are read, and which context of them; and the service account of a pod. */
class KubeconfigFilesTest {

    @TempDir
    private Path folder;

    private KubeconfigFixture kubeconfig;
    private TlsApiServer server;

    @BeforeEach
    void start() throws Exception {
        kubeconfig = new KubeconfigFixture(folder);
        kubeconfig.environment.put("HOME", folder.resolve("home").toString());
        server = new TlsApiServer("127.0.0.1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String cluster() {
        return "server: \"https://127.0.0.1:" + server.port() + "\", " + authority();
    }

    private Path write(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void kubeconfigs(Path... files) {
        kubeconfig.environment.put(
                "KUBECONFIG", Arrays.stream(files).map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    }

    private static String faults(ThrowingCallable reading) {
        BadInputException bad = catchThrowableOfType(BadInputException.class, reading);
        assertThat(bad).as("a fault").isNotNull();
        return bad.getMessage();
    }

    private String authorization(ApiServer read) {
        return KubeconfigFixture.sent(server, read).authorization();
    }

    @Test
    @Rule(
            id = "V52",
            says = "The files in KUBECONFIG are read as one: the first that has an entry, or a current context, counts;"
                    + " relative paths start from the folder of their file; files that do not exist are passed over. If"
                    + " none exists, the pod's service account is used, and never ~/.kube/config.",
            source = "client-go, `clientcmd`",
            differs = "Outside a pod kubectl connects to localhost:8080; here that is a fault.")
    void the_files_in_the_variable_are_read_as_one() throws Exception {
        write("b/token", "of-b");
        write("b/ca.pem", TlsApiServer.AUTHORITY.certificatePem());
        kubeconfigs(
                folder.resolve("missing"),
                write("a/config", "users: [{name: x, user: {token: of-a}}]"),
                write("b/config", """
                    current-context: b
                    contexts: [{name: b, context: {cluster: c, user: u}}, {name: x, context: {cluster: c, user: x}}]
                    clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", certificate-authority: ca.pem}}]
                    users: [{name: u, user: {tokenFile: token}}, {name: x, user: {token: of-b, tokenFile: token}}]
                    """.formatted(server.port())),
                write("c/config", "current-context: x"));

        assertThat(authorization(kubeconfig.servers().find(null))).isEqualTo("Bearer of-b");
        assertThat(authorization(kubeconfig.servers().find("x"))).isEqualTo("Bearer of-a");
    }

    @Test
    void without_the_variable_the_file_in_the_home_folder_is_read() throws Exception {
        kubeconfig.write(cluster(), "token: t");
        Files.createDirectories(folder.resolve("home/.kube"));
        Files.move(kubeconfig.file, folder.resolve("home/.kube/config"));
        kubeconfig.environment.put("KUBECONFIG", "");

        assertThat(authorization(kubeconfig.servers().find(null))).isEqualTo("Bearer t");
        assertThat(kubeconfig.servers().origin())
                .hasValue(folder.resolve("home/.kube/config").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "missing:gone", ":", "::missing:"})
    void a_variable_without_an_existing_file_leaves_the_service_account(String files) throws Exception {
        // given: a file that the variable hides
        kubeconfig.write(cluster(), "token: t");
        Files.createDirectories(folder.resolve("home/.kube"));
        Files.move(kubeconfig.file, folder.resolve("home/.kube/config"));
        kubeconfig.environment.put("KUBECONFIG", files.replace(":", File.pathSeparator));
        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .isEqualTo("KUBECONFIG: found \"" + files + "\", must name a kubeconfig file that exists");
        assertThat(kubeconfig.servers().origin()).hasValue("environment: KUBECONFIG");
        // when this is a pod
        serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        // then
        assertThat(authorization(kubeconfig.servers().find(null))).isEqualTo("Bearer first");
        assertThat(kubeconfig.servers().origin()).hasValue("service account");
        assertThat(faults(() -> kubeconfig.servers().find("x"))).contains("kubeContext: found \"x\"");
    }

    @Test
    void a_file_that_cannot_be_looked_up_is_not_passed_over() throws Exception {
        serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        kubeconfigs(loop);

        assertThat(faults(() -> kubeconfig.servers().find(null))).startsWith(loop + ": cannot be read: ");
    }

    @Test
    void a_key_whose_file_cannot_be_looked_up_does_not_name_a_missing_file() throws Exception {
        Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
        kubeconfig.write("server: \"https://127.0.0.1:1\", certificate-authority: loop", "token: t");

        assertThat(kubeconfig.faults())
                .contains("certificate-authority: found \"loop\", which cannot be read: ")
                .doesNotContain("does not exist");
    }

    @Test
    void a_kubeconfig_takes_precedence_over_the_service_account() throws Exception {
        serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        kubeconfig.write(cluster(), "token: t");
        kubeconfigs(folder.resolve("missing"), kubeconfig.file);

        assertThat(authorization(kubeconfig.servers().find(null))).isEqualTo("Bearer t");
        assertThat(kubeconfig.servers().origin()).hasValue("environment: KUBECONFIG");
    }

    @Test
    @Rule(
            id = "V53",
            says = "An unknown context is refused with the known ones, as is a kubeconfig without a current one; the"
                    + " pod's service account does not take its place.",
            source = "kubectl")
    void an_unknown_current_context_is_refused() throws Exception {
        kubeconfig.write(cluster(), "");
        String text = Files.readString(kubeconfig.file);

        Files.writeString(kubeconfig.file, text.replace("current-context: x", "current-context: gone"));
        assertThat(kubeconfig.faults()).isEqualTo("current-context: found \"gone\", must be one of [x]");
        kubeconfigs(kubeconfig.file);
        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .isEqualTo(kubeconfig.file + ": current-context: found \"gone\", must be one of [x]");
        Files.writeString(kubeconfig.file, text.replace("current-context: x", ""));
        assertThat(kubeconfig.faults()).isEqualTo("current-context: is missing, must be one of [x]");
        Files.writeString(kubeconfig.file, "");
        assertThat(kubeconfig.faults()).isEqualTo("current-context: is missing, must be one of []");
    }

    @Test
    void a_fault_names_the_file_that_has_it() throws Exception {
        kubeconfig.write(cluster(), "auth-provider: {}");
        Path other = write("other", "kind: List");
        kubeconfigs(other, kubeconfig.file);
        assertThat(faults(() -> kubeconfig.servers().find(null)).lines())
                .containsExactly(
                        other + ": kind: found \"List\", must be Config",
                        kubeconfig.file + ": users[0].user.auth-provider: is not supported; use exec");

        Path last = write("last", "current-context: gone");
        kubeconfigs(write("first", "current-context: \"\""), last);
        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .isEqualTo(last + ": current-context: found \"gone\", must be one of []");
    }

    @Test
    void a_variable_with_a_name_that_no_file_can_have_is_refused() {
        kubeconfig.environment.put("KUBECONFIG", "a\0b");

        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .startsWith("KUBECONFIG: found ")
                .endsWith(", must be the names of files");
        assertThat(kubeconfig.servers().origin()).hasValue("environment: KUBECONFIG");
    }

    @Test
    void an_unknown_context_of_the_configuration_is_refused() throws Exception {
        kubeconfig.write(cluster(), "");

        assertThat(faults(() -> kubeconfig.servers().inFile(kubeconfig.file, "gone")))
                .isEqualTo("kubeContext: found \"gone\", must be one of [x]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {cluster: d, user: u}                    | contexts[0].context.cluster: found "d", must be one of [c]
        {user: u}                                | contexts[0].context.cluster: is missing, must be one of [c]
        {cluster: c, user: v}                    | contexts[0].context.user: found "v", must be one of [u]
        {cluster: c, user: u, namespace: 5}      | contexts[0].context.namespace: found 5, must be a string
        {cluster: c, user: u, as: a}             | contexts[0].context.as: unknown key, must be one of cluster, user, namespace, extensions
        """)
    void a_context_that_cannot_be_obeyed_is_refused(String context, String fault) throws Exception {
        kubeconfig.write(cluster(), "");
        String text = Files.readString(kubeconfig.file);
        Files.writeString(kubeconfig.file, text.replace("{cluster: c, user: u, namespace: shop}", context));

        assertThat(kubeconfig.faults()).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        apiVersion: v1          | apiVersion: null
        apiVersion: v1          | apiVersion: ""
        kind: Config            | kind: null
        kind: Config            | kind: ""
        preferences: {}         | preferences: null
        preferences: {}         | extensions: null
        , namespace: shop       | , namespace: null
        , namespace: shop       | , namespace: ""
        , namespace: shop       | , extensions: null
        user: u, namespace      | user: null, namespace
        user: u, namespace      | user: "", namespace
        """)
    void a_key_that_is_null_or_empty_is_as_one_that_is_absent(String key, String other) throws Exception {
        kubeconfig.write(cluster(), "");
        String text = Files.readString(kubeconfig.file);
        assertThat(text).contains(key);
        Files.writeString(kubeconfig.file, text.replace(key, other));

        assertThat(kubeconfig.servers().inFile(kubeconfig.file, null).credential())
                .isEqualTo(Credential.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        name: c, cluster: | name: c, proxy-url: x, cluster: | clusters[0].proxy-url: unknown key, must be one of name, cluster
        name: u, user:    | name: u, exec: {}, user:        | users[0].exec: unknown key, must be one of name, user
        name: x, context: | name: x, namespace: y, context: | contexts[0].namespace: unknown key, must be one of name, context
        """)
    void a_key_next_to_the_name_of_an_entry_is_refused(String start, String other, String fault) throws Exception {
        kubeconfig.write(cluster(), "");
        String text = Files.readString(kubeconfig.file);
        assertThat(text).contains(start);
        Files.writeString(kubeconfig.file, text.replace(start, other));

        assertThat(kubeconfig.faults()).isEqualTo(fault);
    }

    @Test
    void a_context_without_a_user_needs_no_credential() throws Exception {
        kubeconfig.write(cluster(), "");
        String text = Files.readString(kubeconfig.file);
        Files.writeString(kubeconfig.file, text.replace(", user: u,", ","));

        assertThat(kubeconfig.sent(server).authorization()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"kind": "List"}                                       | kind: found "List", must be Config
        {"apiVersion": "v2"}                                   | apiVersion: found "v2", must be v1
        {"proxy": "x"}                                         | proxy: unknown key, must be one of apiVersion, kind, preferences, clusters, users, contexts, current-context, extensions
        {"users": [{"name": "u"}, {"name": "u"}]}              | users[1].name: found "u" twice, must be unique
        {"clusters": [{"name": "c"}, {}, {}]}                  | clusters[2].name: found "" twice, must be unique
        {"contexts": {}}                                       | contexts: found {}, must be an array
        """)
    void a_file_that_kubectl_does_not_read_is_refused(String text, String fault) throws Exception {
        Files.writeString(kubeconfig.file, text);

        assertThat(kubeconfig.faults()).contains(fault);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "text", "a: *b", "a: 1\na: 2", "{", "\u0000"})
    void a_file_that_is_no_kubeconfig_is_refused(String text) throws Exception {
        Files.writeString(kubeconfig.file, text);

        assertThat(faults(() -> kubeconfig.servers().inFile(kubeconfig.file, null)))
                .startsWith(kubeconfig.file + ": ")
                .doesNotContain("\n", "Exception");
    }

    @Test
    void a_file_that_does_not_exist_is_refused() {
        assertThat(kubeconfig.faults()).isEqualTo("there is no such file");
    }

    @Test
    void faults_of_entries_that_are_not_used_do_not_count() throws Exception {
        kubeconfig.write(
                cluster() + "}}, {name: d, cluster: {proxy-url: \"socks5://x\"}}, {name: e, server: x, cluster: {",
                "}}, {name: v, token: t, user: {auth-provider: {name: gcp}");

        assertThat(kubeconfig.sent(server)).isNotNull();
    }

    @Test
    void every_fault_is_reported_at_once() throws Exception {
        kubeconfig.write("server: x, proxy-url: \"socks5://x\"", "auth-provider: {}, as-uid: a");

        assertThat(kubeconfig.faults().lines()).hasSize(4);
    }

    private Path serviceAccount(String authority) throws Exception {
        write("serviceaccount/ca.crt", authority);
        kubeconfig.environment.putAll(Map.of(
                "KUBERNETES_SERVICE_HOST", "127.0.0.1", "KUBERNETES_SERVICE_PORT", Integer.toString(server.port())));
        return write("serviceaccount/token", "first");
    }

    @Test
    @Rule(
            id = "V54",
            says = "In a pod without a kubeconfig the API server's address is that in the environment; the service"
                    + " account's token is read again for each request, and its CA is the only one that is trusted.",
            source = "client-go, `rest.InClusterConfig`",
            differs = "client-go trusts any public authority if the CA cannot be read; here that is a fault.")
    void the_service_account_of_a_pod_is_used() throws Exception {
        Path token = serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        ApiServer read = kubeconfig.servers().find(null);

        assertThat(authorization(read)).isEqualTo("Bearer first");
        Files.writeString(token, "second\n");
        assertThat(authorization(read)).isEqualTo("Bearer second");
    }

    @Test
    void no_other_authority_than_that_of_the_service_account_is_trusted() throws Exception {
        serviceAccount(TlsApiServer.authority("another").certificatePem());

        ApiServer read = kubeconfig.servers().find(null);

        assertThatThrownBy(() -> authorization(read))
                .satisfies(e -> assertThat(ApiFailure.cause(e))
                        .isEqualTo("the API server's certificate is not signed by the configured CA"));
        assertThat(server.seen()).isEmpty();
    }

    @Test
    void a_token_of_the_service_account_that_cannot_be_sent_is_the_cause() throws Exception {
        Path token = serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        Files.writeString(token, "s3 cret");
        ApiServer read = kubeconfig.servers().find(null);

        assertThatThrownBy(() -> authorization(read))
                .satisfies(e -> assertThat(ApiFailure.cause(e))
                        .isEqualTo("token file " + token
                                + " cannot be used: it contains characters that an HTTP header does not allow"));
    }

    @Test
    void the_proxies_of_the_environment_count_in_a_pod() throws Exception {
        serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        try (TlsApiServer named = new TlsApiServer("kube.test");
                ConnectProxy proxy = new ConnectProxy(named.port())) {
            kubeconfig.environment.putAll(
                    Map.of("KUBERNETES_SERVICE_HOST", "kube.test", "HTTPS_PROXY", proxy.address()));

            KubeconfigFixture.sent(named, kubeconfig.servers().find(null));

            assertThat(proxy.asked()).containsExactly("CONNECT kube.test:" + server.port() + " HTTP/1.1");
        }
    }

    @Test
    void a_service_account_without_a_ca_is_refused() throws Exception {
        serviceAccount("");

        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .isEqualTo(folder.resolve("serviceaccount/ca.crt") + ": holds no certificate in PEM");
        Files.delete(folder.resolve("serviceaccount/ca.crt"));
        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .isEqualTo(folder.resolve("serviceaccount/ca.crt") + ": there is no such file");
    }

    @Test
    void an_address_of_ipv6_gets_brackets() throws Exception {
        serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        kubeconfig.environment.put("KUBERNETES_SERVICE_HOST", "fd00::1");

        assertThat(kubeconfig.servers().find(null).uri()).hasToString("https://[fd00::1]:" + server.port());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        KUBERNETES_SERVICE_HOST | a b          | the name or address of a host
        KUBERNETES_SERVICE_HOST | kube.test:80 | the name or address of a host
        KUBERNETES_SERVICE_HOST | kube.test/x  | the name or address of a host
        KUBERNETES_SERVICE_HOST | anna@kube    | the name or address of a host
        KUBERNETES_SERVICE_HOST | kube_test    | the name or address of a host
        KUBERNETES_SERVICE_PORT | https        | a port from 1 to 65535
        KUBERNETES_SERVICE_PORT | 65536        | a port from 1 to 65535
        KUBERNETES_SERVICE_PORT | -1           | a port from 1 to 65535
        KUBERNETES_SERVICE_PORT | 0            | a port from 1 to 65535
        KUBERNETES_SERVICE_PORT | 443/x        | a port from 1 to 65535
        """)
    void an_address_of_the_environment_that_is_none_is_named(String variable, String value, String allowed)
            throws Exception {
        serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        kubeconfig.environment.put(variable, value);

        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .isEqualTo(variable + ": found \"" + value + "\", must be " + allowed);
    }

    @Test
    void a_context_in_a_pod_is_refused() throws Exception {
        serviceAccount(TlsApiServer.AUTHORITY.certificatePem());

        assertThat(faults(() -> kubeconfig.servers().find("x"))).contains("kubeContext: found \"x\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "token"})
    @Rule(
            id = "V12",
            says = "Without a kubeconfig and a service account, or with a token that is not valid in an HTTP header,"
                    + " the daemon does not start: one line reports it, without the token, and the exit code is 2.",
            source = "ours")
    void neither_a_kubeconfig_nor_a_service_account_is_reported(String missing) throws Exception {
        Path token = serviceAccount(TlsApiServer.AUTHORITY.certificatePem());
        kubeconfig.environment.remove(missing);
        if (missing.equals("token")) {
            Files.delete(token);
        }

        assertThat(faults(() -> kubeconfig.servers().find(null)))
                .contains("kubeconfig: found none: neither KUBECONFIG nor ~/.kube/config exists");
    }

    @Test
    void a_proxy_that_cannot_be_used_is_refused() throws Exception {
        kubeconfig.write(cluster(), "");
        kubeconfig.environment.put("HTTPS_PROXY", "socks5://x");

        assertThat(kubeconfig.faults()).startsWith("HTTPS_PROXY: found \"socks5://x\"");
    }
}
