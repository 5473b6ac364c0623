package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.KubeconfigFixture.authority;
import static dev.poolkeeper.k8s.kubeconfig.KubeconfigFixture.base64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.Credential;
import dev.poolkeeper.k8s.kubeconfig.TlsApiServer.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.List;
import okhttp3.tls.HeldCertificate;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each key of a user except exec, against a TLS socket. */
class UserKeysTest {

    @TempDir
    private Path folder;

    private KubeconfigFixture kubeconfig;
    private TlsApiServer server;

    @BeforeEach
    void start() throws Exception {
        kubeconfig = new KubeconfigFixture(folder);
        server = new TlsApiServer("127.0.0.1");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private KubeconfigFixture with(String user) throws Exception {
        return kubeconfig.write("server: \"https://127.0.0.1:" + server.port() + "\", " + authority(), user);
    }

    @Test
    @Rule(
            id = "V7",
            says = "Whitespace around a bearer token is stripped; a token with other characters that HTTP does not"
                    + " allow is refused, and no message or log contains it.",
            source = "ours")
    void a_token_is_sent_without_the_white_space_around_it() throws Exception {
        assertThat(with("token: \" first\\n\"").sent(server).authorization()).isEqualTo("Bearer first");
    }

    @Test
    void without_keys_there_is_no_credential() throws Exception {
        Seen seen = with("").sent(server);

        assertThat(seen.authorization()).isEmpty();
        assertThat(seen.client()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        token: "s3\\ncret"             | users[0].user.token: contains characters that an HTTP header does not allow
        token: "s3crét"                | users[0].user.token: contains characters that an HTTP header does not allow
        token: 377345                  | users[0].user.token: must be a string; put it in quotes
        token: s3c, username: a        | users[0].user.token: must not be set together with username and password
        token: s3c, password: s3       | users[0].user.token: must not be set together with username and password
        username: a, password: 377345  | users[0].user.password: must be a string; put it in quotes
        username: "a:b"                | users[0].user.username: found "a:b", must not contain a colon
        auth-provider: {name: oidc}    | users[0].user.auth-provider: is not supported; use exec
        auth-provider: {}              | users[0].user.auth-provider: is not supported; use exec
        as-groups: [a]                 | users[0].user.as: is missing, as-uid, as-groups and as-user-extra need it
        as-uid: a                      | users[0].user.as: is missing, as-uid, as-groups and as-user-extra need it
        as-user-extra: {a: [b]}        | users[0].user.as: is missing, as-uid, as-groups and as-user-extra need it
        as: "a\\nb"                    | users[0].user.as: contains characters that an HTTP header does not allow
        as: a, as-uid: "b\\nc"          | users[0].user.as-uid: contains characters that an HTTP header does not allow
        as: a, as-groups: [b, "c\\nd"]  | users[0].user.as-groups: contains characters that an HTTP header does not allow
        as: a, as-user-extra: {b: [c, é]} | users[0].user.as-user-extra: contains characters that an HTTP header does not allow
        as: a, as-groups: b            | users[0].user.as-groups: found "b", must be an array
        as: a, as-user-extra: {b: c}   | users[0].user.as-user-extra.b: found "c", must be an array
        client-certificate: a.pem      | users[0].user.client-key: is missing, a client certificate and its key go together
        client-key: a.pem              | users[0].user.client-certificate: is missing, a client certificate and its key go together
        Token: a                       | users[0].user.Token: unknown key, must be one of client-certificate, client-certificate-data, client-key, client-key-data, token, tokenFile, username, password, as, as-uid, as-groups, as-user-extra, auth-provider, exec, extensions
        """)
    void a_value_or_key_that_cannot_be_obeyed_is_refused_without_a_secret(String user, String fault) throws Exception {
        Files.writeString(
                folder.resolve("a.pem"), new HeldCertificate.Builder().build().certificatePem());

        String faults = with(user).faults();

        assertThat(faults).isEqualTo(fault).doesNotContain("s3", "377345");
    }

    @ParameterizedTest
    @CsvSource({
        "client-certificate, ''",
        "client-certificate-data, ''",
        "client-key, ''",
        "client-key-data, ''",
        "token, ''",
        "tokenFile, ''",
        "username, ''",
        "password, ''",
        "as, ''",
        "as-uid, ''",
        "as-groups, []",
        "as-user-extra, {}",
        "auth-provider, null",
        "exec, null",
        "extensions, []"
    })
    void a_key_that_is_null_or_empty_is_as_one_that_is_absent(String key, String empty) throws Exception {
        for (String value : List.of("null", empty.isEmpty() ? "\"\"" : empty)) {
            ApiServer read = with(key + ": " + value).servers().inFile(kubeconfig.file, null);

            assertThat(read.credential()).as(value).isEqualTo(Credential.NONE);
            assertThat(read.headers()).as(value).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tokenFile: \"a\\0b\"", "client-certificate: \"a\\0b\", client-key: token"})
    void a_name_that_no_file_can_have_is_refused(String user) throws Exception {
        Files.writeString(folder.resolve("token"), "t");
        assertThat(with(user).faults())
                .startsWith("users[0].user." + user.substring(0, user.indexOf(':')) + ": found ")
                .endsWith(", must be the name of a file");
    }

    @Test
    @Rule(
            id = "V6",
            says = "The tokenFile of a kubeconfig takes precedence over its token, is relative to the kubeconfig, and"
                    + " is read again for each request.",
            source = "client-go, `clientcmd/api`")
    void a_token_file_is_honoured_and_read_again() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "first\n");
        ApiServer read = with("tokenFile: token, token: another").servers().inFile(kubeconfig.file, null);

        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer first");
        Files.writeString(file, "second");
        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer second");
        for (String unusable : List.of("", " \n", "s3 cret")) {
            Files.writeString(file, unusable);
            assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer second");
        }
        Files.delete(file);
        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer second");
        Files.writeString(file, "first\n");
        assertThat(KubeconfigFixture.sent(server, read).authorization()).isEqualTo("Bearer first");
    }

    @Test
    void a_token_file_that_is_missing_is_refused() throws Exception {
        assertThat(with("tokenFile: token").faults())
                .isEqualTo("users[0].user.tokenFile: found \"token\", which cannot be used: it does not exist");
    }

    @Test
    void a_folder_as_token_file_is_refused() throws Exception {
        assertThat(with("tokenFile: .").faults())
                .startsWith("users[0].user.tokenFile: found \".\", which cannot be used: ");
    }

    @ParameterizedTest
    @CsvSource({"' ', it is empty", "s3 cret, it contains characters that an HTTP header does not allow"})
    void a_token_file_without_a_token_is_refused(String content, String reason) throws Exception {
        Files.writeString(folder.resolve("token"), content);

        assertThat(with("tokenFile: token").faults())
                .isEqualTo("users[0].user.tokenFile: found \"token\", which cannot be used: " + reason);
    }

    @Test
    void user_and_password_are_sent() throws Exception {
        assertThat(with("username: anna, password: \"p:é\"").sent(server).authorization())
                .isEqualTo("Basic " + base64("anna:p:é"));
    }

    @Test
    @Rule(
            id = "V47",
            says = "The keys as, as-uid, as-groups and as-user-extra of a kubeconfig become the headers of"
                    + " impersonation.",
            source = "client-go, `transport`")
    void impersonation_is_sent() throws Exception {
        Seen seen = with("token: t, as: anna, as-uid: \"7\", as-groups: [a, b],"
                        + " as-user-extra: {Scopes: [x, y], \"acme.com/pröject\": [z]}")
                .sent(server);

        assertThat(seen.headers())
                .containsEntry("Impersonate-User", List.of("anna"))
                .containsEntry("Impersonate-Uid", List.of("7"))
                .containsEntry("Impersonate-Group", List.of("a", "b"))
                .containsEntry("Impersonate-Extra-Scopes", List.of("x", "y"))
                .containsEntry("Impersonate-Extra-acme.com%2fpr%c3%b6ject", List.of("z"));
        assertThat(seen.authorization()).isEqualTo("Bearer t");
    }

    @Test
    void in_the_name_of_a_header_all_characters_stay_that_http_allows_there_except_the_per_cent_sign()
            throws Exception {
        String name = "a-z.0!#$&'*+^_`|~%/:;=@ (\u20ac)";
        ApiServer read = with("as: anna, as-user-extra: {\"" + name + "\": [x]}")
                .servers()
                .inFile(kubeconfig.file, null);

        assertThat(read.headers())
                .containsOnlyKeys(
                        "Impersonate-User", "Impersonate-Extra-a-z.0!#$&'*+^_`|~%25%2F%3A%3B%3D%40%20%28%E2%82%AC%29");
    }

    private static HeldCertificate client(boolean rsa, String name) {
        HeldCertificate.Builder builder =
                new HeldCertificate.Builder().commonName(name).signedBy(TlsApiServer.AUTHORITY);
        return (rsa ? builder.rsa2048() : builder.ecdsa256()).build();
    }

    /** The form that older tools write. */
    private static String traditional(HeldCertificate client) throws Exception {
        PrivateKey key = client.keyPair().getPrivate();
        byte[] der = PrivateKeyInfo.getInstance(key.getEncoded())
                .parsePrivateKey()
                .toASN1Primitive()
                .getEncoded();
        String type = key.getAlgorithm() + " PRIVATE KEY";
        return "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(der), type);
    }

    @Test
    void a_key_with_headers_that_is_not_encrypted_is_used() throws Exception {
        HeldCertificate client = client(false, "anna");
        String key = traditional(client).replace("-----\nM", "-----\r\nX-Made-By: openssl\r\n\r\nM");
        assertThat(key).contains("X-Made-By");

        assertThat(with(data(client.certificatePem(), key)).sent(server).client())
                .isEqualTo("CN=anna");
    }

    private static String data(String certificate, String key) {
        return "client-certificate-data: " + base64(certificate) + ", client-key-data: " + base64(key);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Rule(
            id = "V48",
            says = "A client certificate is used with an RSA or EC key, in PKCS #8 or the older forms, and is read"
                    + " again for each request if it is a file.",
            source = "client-go, `transport`")
    void a_client_certificate_is_used(boolean rsa) throws Exception {
        HeldCertificate client = client(rsa, "anna");

        assertThat(with(data(client.certificatePem(), client.privateKeyPkcs8Pem()))
                        .sent(server)
                        .client())
                .isEqualTo("CN=anna");
        assertThat(with(data(client.certificatePem(), traditional(client)))
                        .sent(server)
                        .client())
                .isEqualTo("CN=anna");
    }

    @Test
    void a_client_certificate_is_sent_with_its_chain() throws Exception {
        HeldCertificate between = new HeldCertificate.Builder()
                .commonName("between")
                .certificateAuthority(0)
                .signedBy(TlsApiServer.AUTHORITY)
                .build();
        HeldCertificate client = new HeldCertificate.Builder()
                .commonName("anna")
                .signedBy(between)
                .build();

        assertThat(with(data(client.certificatePem() + between.certificatePem(), client.privateKeyPkcs8Pem()))
                        .sent(server)
                        .client())
                .isEqualTo("CN=anna");
    }

    @Test
    void a_client_certificate_in_files_is_read_again_for_each_request() throws Exception {
        HeldCertificate anna = client(false, "anna");
        HeldCertificate bert = client(true, "bert");
        Path certificate = Files.writeString(folder.resolve("client.crt"), anna.certificatePem());
        Path key = Files.writeString(folder.resolve("client.key"), anna.privateKeyPkcs8Pem());
        ApiServer read = with("client-certificate: client.crt, client-key: client.key")
                .servers()
                .inFile(kubeconfig.file, null);
        assertThat(KubeconfigFixture.sent(server, read).client()).isEqualTo("CN=anna");

        Files.writeString(certificate, bert.certificatePem()); // between two writes they do not match
        ApiServer other = with("client-certificate-data: " + base64(anna.certificatePem()) + ", client-key: client.key")
                .servers()
                .inFile(kubeconfig.file, null);
        assertThat(KubeconfigFixture.sent(server, other).client()).isEqualTo("CN=anna");

        assertThat(KubeconfigFixture.sent(server, read).client()).isEqualTo("CN=anna");
        Files.writeString(key, bert.privateKeyPkcs8Pem());
        assertThat(KubeconfigFixture.sent(server, read).client()).isEqualTo("CN=bert");
        Files.writeString(certificate, ""); // from now on the last pair is this one
        assertThat(KubeconfigFixture.sent(server, read).client()).isEqualTo("CN=bert");
        Files.delete(certificate);
        assertThat(KubeconfigFixture.sent(server, read).client()).isEqualTo("CN=bert");
    }

    @Test
    void a_client_certificate_and_a_token_are_both_sent() throws Exception {
        HeldCertificate client = client(false, "anna");

        Seen seen = with(data(client.certificatePem(), client.privateKeyPkcs8Pem()) + ", token: t")
                .sent(server);

        assertThat(seen.client()).isEqualTo("CN=anna");
        assertThat(seen.authorization()).isEqualTo("Bearer t");
    }

    @Test
    void a_client_key_that_does_not_fit_is_refused() throws Exception {
        HeldCertificate client = client(false, "anna");
        String certificate = client.certificatePem();
        String wrong = "users[0].user.client-key-data: holds a private key that is not the certificate's";

        assertThat(with(data(certificate, client(false, "bert").privateKeyPkcs8Pem()))
                        .faults())
                .isEqualTo(wrong);
        assertThat(with(data(certificate, client(true, "bert").privateKeyPkcs8Pem()))
                        .faults())
                .isEqualTo(wrong);
        assertThat(with(data(certificate, certificate)).faults())
                .isEqualTo("users[0].user.client-key-data: holds no private key in PEM");
        assertThat(with(data(
                                certificate,
                                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----"))
                        .faults())
                .isEqualTo("users[0].user.client-key-data: holds an encrypted private key, must not be encrypted");
        assertThat(with(data(
                                certificate,
                                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
                                        + "DEK-Info: AES-256-CBC,8A\n\nAAAA\n-----END RSA PRIVATE KEY-----"))
                        .faults())
                .isEqualTo("users[0].user.client-key-data: holds an encrypted private key, must not be encrypted");
        assertThat(with(data("x", client.privateKeyPkcs8Pem())).faults())
                .isEqualTo("users[0].user.client-certificate-data: holds no certificate in PEM");
    }

    @Test
    void a_client_certificate_as_file_and_data_is_refused() throws Exception {
        HeldCertificate client = client(false, "anna");
        Files.writeString(folder.resolve("client.pem"), client.certificatePem() + client.privateKeyPkcs8Pem());

        assertThat(with(data(client.certificatePem(), client.privateKeyPkcs8Pem())
                                + ", client-certificate: client.pem, client-key: client.pem")
                        .faults())
                .contains(
                        "users[0].user.client-certificate-data: must not be set together with client-certificate",
                        "users[0].user.client-key-data: must not be set together with client-key");
    }
}
