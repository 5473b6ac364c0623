package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.KubeconfigFixture.authority;
import static dev.poolkeeper.k8s.kubeconfig.KubeconfigFixture.base64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ConnectProxy;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.kubeconfig.TlsApiServer.Seen;
import java.io.OutputStream;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each key of a cluster, against a TLS socket. */
class ClusterKeysTest {

    private static final String UNTRUSTED = "the API server's certificate is not signed by the configured CA";

    @TempDir
    private Path folder;

    private KubeconfigFixture kubeconfig;
    private TlsApiServer server;
    private ConnectProxy proxy;

    @BeforeEach
    void start() throws Exception {
        kubeconfig = new KubeconfigFixture(folder);
        server = new TlsApiServer("127.0.0.1", "kube.test");
        proxy = new ConnectProxy(server.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    private String local() {
        return "server: \"https://127.0.0.1:" + server.port() + "\"";
    }

    @Test
    @Rule(
            id = "V43",
            says = "Each key of a kubeconfig is obeyed as kubectl obeys it, or refused in one line with file and key;"
                    + " so are keys that no version of kubectl knows.",
            source = "client-go, `clientcmd`")
    void the_server_may_have_a_path() throws Exception {
        kubeconfig.write("server: \"https://127.0.0.1:" + server.port() + "/k8s/clusters/c-1\", " + authority(), "");

        assertThat(kubeconfig.sent(server).path()).isEqualTo("/k8s/clusters/c-1/api/v1/nodes");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ''                           | clusters[0].cluster.server: is missing, must be an https address
        kube.test:6443               | clusters[0].cluster.server: found "kube.test:6443", must be an https or http address without user, query and fragment
        ftp://kube.test              | clusters[0].cluster.server: found "ftp://kube.test", must be an https or http address without user, query and fragment
        https://u:hush@kube.test     | clusters[0].cluster.server: found "https://***@kube.test", must be an https or http address without user, query and fragment
        https://kube.test:65536      | clusters[0].cluster.server: found "https://kube.test:65536", must be an https or http address without user, query and fragment
        https://kube.test/#a         | clusters[0].cluster.server: found "https://kube.test/#a", must be an https or http address without user, query and fragment
        https://kube.test/?a=b       | clusters[0].cluster.server: found "https://kube.test/?a=b", must be an https or http address without user, query and fragment
        """)
    void a_server_that_is_no_address_is_refused(String address, String fault) throws Exception {
        kubeconfig.write("server: \"" + address + "\"", "");

        assertThat(kubeconfig.faults()).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        http | ''                             | token: secret
        HTTP | ''                             | token: secret
        http | ''                             | tokenFile: token
        http | ''                             | username: anna
        http | ''                             | as: anna
        http | ''                             | client-certificate: client.pem, client-key: client.pem
        http | insecure-skip-tls-verify: true | ''
        HTTP | insecure-skip-tls-verify: true | ''
        http | tls-server-name: kube.test     | ''
        http | certificate-authority: ca.pem  | ''
        """)
    void a_server_without_tls_gets_neither_credential_nor_settings_of_tls(String scheme, String cluster, String user)
            throws Exception {
        HeldCertificate client = new HeldCertificate.Builder().build();
        Files.writeString(folder.resolve("client.pem"), client.certificatePem() + client.privateKeyPkcs8Pem());
        Files.writeString(folder.resolve("ca.pem"), TlsApiServer.AUTHORITY.certificatePem());
        Files.writeString(folder.resolve("token"), "secret");
        String address = scheme + "://127.0.0.1:1";
        kubeconfig.write("server: \"" + address + "\", " + cluster, user);
        assertThat(kubeconfig.faults())
                .isEqualTo("clusters[0].cluster.server: found \"" + address
                        + "\", must be https: credentials and certificates need TLS");

        kubeconfig.write("server: \"" + address + "\"", "");
        assertThat(kubeconfig.servers().inFile(kubeconfig.file, null).uri()).hasToString(address);
    }

    @Test
    void the_scheme_may_be_in_upper_case() throws Exception {
        kubeconfig.write(local().replace("https", "HTTPS") + ", " + authority(), "token: t");

        assertThat(kubeconfig.sent(server).authorization()).isEqualTo("Bearer t");
    }

    @Test
    void the_authority_may_be_data_or_a_file_beside_the_kubeconfig() throws Exception {
        kubeconfig.write(local() + ", " + authority(), "");
        assertThat(kubeconfig.sent(server)).isNotNull();

        Files.writeString(folder.resolve("ca.pem"), "a comment\n" + TlsApiServer.AUTHORITY.certificatePem() + "\n#");
        kubeconfig.write(local() + ", certificate-authority: ca.pem", "");
        assertThat(kubeconfig.sent(server)).isNotNull();

        kubeconfig.write(local() + ", certificate-authority: " + folder.resolve("ca.pem"), "");
        assertThat(kubeconfig.sent(server)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void of_several_authorities_each_is_trusted(int place) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                TlsApiServer.authority("another").certificatePem(),
                TlsApiServer.authority("a third").certificatePem()));
        all.add(place, TlsApiServer.AUTHORITY.certificatePem());
        kubeconfig.write(local() + ", certificate-authority-data: " + base64(String.join("", all)), "");

        assertThat(kubeconfig.sent(server)).isNotNull();
    }

    @Test
    void data_may_be_broken_into_lines() throws Exception {
        String lines = Base64.getMimeEncoder()
                .encodeToString(TlsApiServer.AUTHORITY.certificatePem().getBytes(StandardCharsets.UTF_8))
                .replace("\r\n", "\\r\\n ");
        kubeconfig.write(local() + ", certificate-authority-data: \" " + lines + "\\n\"", "");

        assertThat(kubeconfig.sent(server)).isNotNull();
    }

    @Test
    void another_authority_or_none_is_not_trusted() throws Exception {
        kubeconfig.write(local(), "");
        assertThat(kubeconfig.failure()).isEqualTo(UNTRUSTED);

        String other = TlsApiServer.authority("another").certificatePem();
        kubeconfig.write(local() + ", certificate-authority-data: " + base64(other), "");
        assertThat(kubeconfig.failure()).isEqualTo(UNTRUSTED);
        assertThat(server.seen()).isEmpty();
    }

    @Test
    @Rule(
            id = "V44",
            says = "With a certificate authority in the kubeconfig no other is trusted, not even those of the JDK.",
            source = "client-go, `rest.TLSClientConfig`")
    void the_authorities_of_the_jdk_are_not_trusted_beside_that_of_the_cluster() throws Exception {
        // given
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("public", TlsApiServer.AUTHORITY.certificate());
        Path trusted = folder.resolve("cacerts");
        try (OutputStream out = Files.newOutputStream(trusted)) {
            store.store(out, "changeit".toCharArray());
        }
        String other = TlsApiServer.authority("another").certificatePem();
        kubeconfig.write(local() + ", certificate-authority-data: " + base64(other), "");
        // when
        System.setProperty("javax.net.ssl.trustStore", trusted.toString());
        System.setProperty("javax.net.ssl.trustStorePassword", "changeit");
        try {
            // then
            assertThat(kubeconfig.failure()).isEqualTo(UNTRUSTED);
        } finally {
            System.clearProperty("javax.net.ssl.trustStore");
            System.clearProperty("javax.net.ssl.trustStorePassword");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        certificate-authority: none.pem      | clusters[0].cluster.certificate-authority: found "none.pem", which does not exist
        certificate-authority: .             | clusters[0].cluster.certificate-authority: found ".", which is a directory, must be a file
        certificate-authority: empty.pem     | clusters[0].cluster.certificate-authority: holds no certificate in PEM
        certificate-authority-data: '*'      | clusters[0].cluster.certificate-authority-data: is not Base64
        certificate-authority-data: aGVsbG8= | clusters[0].cluster.certificate-authority-data: holds no certificate in PEM
        certificate-authority-data: 5        | clusters[0].cluster.certificate-authority-data: must be a string; put it in quotes
        """)
    void an_authority_that_cannot_be_read_is_refused(String key, String fault) throws Exception {
        Files.createFile(folder.resolve("empty.pem"));
        kubeconfig.write(local() + ", " + key, "");

        assertThat(kubeconfig.faults()).isEqualTo(fault);
    }

    @Test
    void a_broken_certificate_is_refused() throws Exception {
        String broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        kubeconfig.write(local() + ", certificate-authority-data: " + base64(broken), "");

        assertThat(kubeconfig.faults())
                .isEqualTo("clusters[0].cluster.certificate-authority-data: holds a certificate that cannot be read");
    }

    @Test
    void two_authorities_are_refused() throws Exception {
        Files.writeString(folder.resolve("ca.pem"), TlsApiServer.AUTHORITY.certificatePem());
        kubeconfig.write(local() + ", certificate-authority: ca.pem, " + authority(), "");

        assertThat(kubeconfig.faults())
                .isEqualTo("clusters[0].cluster.certificate-authority-data: must not be set together with"
                        + " certificate-authority");
    }

    @Test
    void an_insecure_connection_checks_neither_authority_nor_name() throws Exception {
        try (TlsApiServer named = new TlsApiServer("another.test")) {
            kubeconfig.write("server: \"https://127.0.0.1:" + named.port() + "\", insecure-skip-tls-verify: true", "");

            assertThat(kubeconfig.sent(named)).isNotNull();
        }
    }

    @Test
    void an_insecure_connection_may_have_a_server_name_and_a_client_certificate() throws Exception {
        HeldCertificate client = new HeldCertificate.Builder()
                .commonName("anna")
                .signedBy(TlsApiServer.AUTHORITY)
                .build();
        try (TlsApiServer named = new TlsApiServer("another.test")) {
            kubeconfig.write(
                    "server: \"https://127.0.0.1:" + named.port()
                            + "\", insecure-skip-tls-verify: true, tls-server-name: kube.test",
                    "client-certificate-data: " + base64(client.certificatePem()) + ", client-key-data: "
                            + base64(client.privateKeyPkcs8Pem()));
            Seen seen = kubeconfig.sent(named);
            assertThat(seen.askedFor()).isEqualTo("kube.test");
            assertThat(seen.client()).isEqualTo("CN=anna");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "certificate-authority, ''",
        "certificate-authority-data, ''",
        "insecure-skip-tls-verify, false",
        "tls-server-name, ''",
        "proxy-url, ''",
        "disable-compression, false",
        "extensions, []"
    })
    void a_key_that_is_null_or_empty_is_as_one_that_is_absent(String key, String empty) throws Exception {
        for (String value : List.of("null", empty.isEmpty() ? "\"\"" : empty)) {
            kubeconfig.write("server: \"https://kube.test\", " + key + ": " + value, "");

            ApiServer read = kubeconfig.servers().inFile(kubeconfig.file, null);

            assertThat(read.tls()).as(value).isEmpty();
            assertThat(read.proxies().select(read.uri())).as(value).containsExactly(Proxy.NO_PROXY);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        insecure-skip-tls-verify: 'true' | clusters[0].cluster.insecure-skip-tls-verify: found "true", must be true or false
        insecure-skip-tls-verify: 1      | clusters[0].cluster.insecure-skip-tls-verify: found 1, must be true or false
        disable-compression: maybe       | clusters[0].cluster.disable-compression: found "maybe", must be true or false
        tls-server-name: a b             | clusters[0].cluster.tls-server-name: found "a b", must be the name of a host
        api-version: v1                  | clusters[0].cluster.api-version: unknown key, must be one of server, certificate-authority, certificate-authority-data, insecure-skip-tls-verify, tls-server-name, proxy-url, disable-compression, extensions
        """)
    void a_value_or_key_that_means_nothing_is_refused(String key, String fault) throws Exception {
        kubeconfig.write(local() + ", " + key.replace("'true'", "\"true\""), "");

        assertThat(kubeconfig.faults()).isEqualTo(fault);
    }

    @Test
    void an_authority_of_an_insecure_connection_is_refused() throws Exception {
        kubeconfig.write(local() + ", insecure-skip-tls-verify: true, " + authority(), "");

        assertThat(kubeconfig.faults())
                .isEqualTo("clusters[0].cluster.insecure-skip-tls-verify: found true, must not be set together with"
                        + " certificate-authority");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    @Rule(
            id = "V45",
            says = "With tls-server-name the server is asked for that name, and its certificate must have it; the name"
                    + " in its address does not count.",
            source = "client-go, `rest.TLSClientConfig`")
    void a_server_name_is_asked_for_and_checked(String host) throws Exception {
        String address = "server: \"https://" + host + ":" + server.port() + "\", " + authority();

        kubeconfig.write(address + ", tls-server-name: kube.test", "");
        assertThat(kubeconfig.sent(server).askedFor()).isEqualTo("kube.test");

        kubeconfig.write(address + ", tls-server-name: another.test", "");
        assertThat(kubeconfig.failure()).contains("another.test");
    }

    @Test
    void a_server_name_may_be_an_address() throws Exception {
        kubeconfig.write(
                "server: \"https://localhost:" + server.port() + "\", tls-server-name: 127.0.0.1, " + authority(), "");

        assertThat(kubeconfig.sent(server).askedFor()).isEmpty();
    }

    @Test
    void the_name_in_the_address_is_asked_for_and_checked() throws Exception {
        try (TlsApiServer local = new TlsApiServer("localhost")) {
            kubeconfig.write("server: \"https://localhost:" + local.port() + "\", " + authority(), "");
            assertThat(kubeconfig.sent(local).askedFor()).isEqualTo("localhost");
        }
        kubeconfig.write("server: \"https://localhost:" + server.port() + "\", " + authority(), "");
        assertThat(kubeconfig.failure()).contains("localhost");
    }

    @Test
    @Rule(
            id = "V46",
            says = "A cluster's proxy-url takes the place of the environment's proxies, for loopback addresses and"
                    + " those in NO_PROXY, too.",
            source = "client-go, `clientcmd`",
            differs = "https and SOCKS proxies, and those with a user and password, are refused.")
    void a_proxy_url_is_obeyed() throws Exception {
        kubeconfig.environment.put("NO_PROXY", "*");
        kubeconfig.write(local() + ", proxy-url: \"" + proxy.address() + "\", " + authority(), "");
        assertThat(kubeconfig.sent(server)).isNotNull();
        assertThat(proxy.asked()).containsExactly("CONNECT 127.0.0.1:" + server.port() + " HTTP/1.1");
    }

    @Test
    void a_proxy_resolves_the_servers_name() throws Exception {
        kubeconfig.write(
                "server: \"https://kube.test:6443\", proxy-url: \"" + proxy.address() + "\", " + authority(), "");

        assertThat(kubeconfig.sent(server).askedFor()).isEqualTo("kube.test");
        assertThat(proxy.asked()).containsExactly("CONNECT kube.test:6443 HTTP/1.1");
    }

    @Test
    void a_proxy_that_is_gone_is_not_passed_by() throws Exception {
        proxy.close();
        kubeconfig.write(local() + ", proxy-url: \"" + proxy.address() + "\", " + authority(), "");

        assertThat(kubeconfig.failure()).isEqualTo("connection refused, or the network is unreachable");
        assertThat(server.seen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:3128",
                "socks5://127.0.0.1:1080",
                "socks5h://127.0.0.1:1080",
                "http://user:hush@127.0.0.1:3128",
                "127.0.0.1:3128",
                "proxy:3128",
                "http://"
            })
    void a_proxy_url_that_cannot_be_obeyed_is_refused(String url) throws Exception {
        kubeconfig.write(local() + ", proxy-url: \"" + url + "\", " + authority(), "");

        assertThat(kubeconfig.faults())
                .startsWith("clusters[0].cluster.proxy-url: found \"")
                .contains("must be an http proxy")
                .doesNotContain("hush");
    }

    @Test
    void the_proxies_of_the_environment_count_for_a_kubeconfig_that_is_named() throws Exception {
        kubeconfig.environment.put("https_proxy", proxy.address());
        kubeconfig.write("server: \"https://kube.test:6443\", " + authority(), "");

        assertThat(kubeconfig.sent(server).askedFor()).isEqualTo("kube.test");

        kubeconfig.write(local() + ", " + authority(), "");
        assertThat(kubeconfig.sent(server)).isNotNull();
        assertThat(proxy.asked()).containsExactly("CONNECT kube.test:6443 HTTP/1.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void no_response_is_compressed_either_way(String value) throws Exception {
        kubeconfig.write(local() + ", disable-compression: " + value + ", " + authority(), "");

        Seen seen = kubeconfig.sent(server);

        assertThat(seen.headers()).doesNotContainKey("Accept-Encoding");
    }

    @Test
    void extensions_are_for_others() throws Exception {
        kubeconfig.write(
                local() + ", extensions: [{name: minikube.sigs.k8s.io, extension: {version: v1}}], " + authority(), "");

        assertThat(kubeconfig.sent(server)).isNotNull();
    }
}
