package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.identity.DefaultAzureCredential;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.azure.identity.CachedTokens;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

@Timeout(120)
class AzureCredentialsTest {

    private static final String CLIENT = "22222222-2222-2222-2222-222222222222";
    private static final String TENANT = "33333333-3333-3333-3333-333333333333";
    private static final String NETWORK_TENANT = "44444444-4444-4444-4444-444444444444";
    private static final String TOKEN =
            "{\"token_type\": \"Bearer\", \"expires_in\": 3599, \"access_token\": \"fetched-token\"}";

    private ArmHarness harness;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private TokenCredential credential(AzureIdentitySettings settings) {
        return AzureCredentials.of(settings, harness.settings.cloud(), ArmHarness.httpClient());
    }

    /** Reads a pool with a new token; returns the body of the request for the token. */
    private String readWith(AzureIdentitySettings settings, String tenant) {
        harness.arm.then(200, TOKEN).then(200, Bodies.pool("10.0.0.4"));
        ok(harness.builder(credential(settings)).build().read(SHOP_WEB));
        assertThat(harness.arm.asked().getFirst().path()).isEqualTo("/" + tenant + "/oauth2/v2.0/token");
        assertThat(harness.arm.asked().getLast().header("Authorization")).isEqualTo("Bearer fetched-token");
        return harness.arm.asked().getFirst().body();
    }

    private static AzureIdentitySettings settings(
            @Nullable String networkTenant,
            @Nullable String secret,
            @Nullable String certificate,
            @Nullable String tokenFile) {
        return new AzureIdentitySettings(
                TENANT, networkTenant, CLIENT, secret, certificate, null, false, null, tokenFile != null, tokenFile);
    }

    @Test
    void a_client_secret_fetches_a_token_of_the_tenant() {
        String asked = readWith(settings(null, "s3cret", null, null), TENANT);
        assertThat(asked).contains("client_secret=s3cret", "grant_type=client_credentials");
    }

    @Test
    void without_a_refresh_time_a_token_is_fetched_once_per_hour() {
        // given: the SDK dates tokens by the machine's clock
        FakeTime time = new FakeTime(Instant.now());
        TokenCredential tokens =
                new CachedTokens(credential(settings(null, "s3cret", null, null)), time, Schedulers.immediate());
        harness.arm.otherwise(asked -> ScriptedArm.answer(200, TOKEN));
        TokenRequestContext request =
                new TokenRequestContext().addScopes(harness.settings.cloud().scope());
        // when
        for (int i = 0; i < 108; i++) {
            tokens.getTokenSync(request);
            time.advance(Duration.ofSeconds(30));
        }
        // then
        assertThat(harness.arm.asked()).hasSize(1);
    }

    private static String metadata(URI login) {
        return """
            [{"name": "AzureStack", "resourceManager": "https://ignored.example",
              "authentication": {"loginEndpoint": "%s", "audiences": ["https://stack.example/audience"]}}]\
            """.formatted(login);
    }

    @Test
    @Rule(
            id = "A32",
            says = "If only the resource manager's endpoint is set, the authority and audience of tokens are"
                    + " discovered from its /metadata/endpoints.",
            source = "kubernetes-sigs/cloud-provider-azure, pkg/azclient/cloud.go",
            differs = "Of several clouds the one with our endpoint is used, otherwise the first; the cloud's"
                    + " name is not compared, and one without loginEndpoint yields no token.")
    void a_cloud_with_only_an_endpoint_is_discovered() {
        // given
        URI arm = harness.arm.address();
        AzureIdentitySettings secret = settings(null, "s3cret", null, null);
        harness.settings = AzureSettings.of(AzureCloud.discoveredAt(arm), harness.settings.scope());
        AzurePools pools = harness.builder(credential(secret)).build();
        harness.arm
                .then(503, "")
                .then(200, metadata(arm))
                .then(200, TOKEN)
                .then(200, Bodies.pool())
                .then(200, Bodies.pool());
        // when: the first request gets no response
        assertThat(failure(pools.read(SHOP_WEB)).describe())
                .startsWith("no token for Azure: IOException: /metadata/endpoints returned status 503");
        ok(pools.read(SHOP_WEB));
        ok(pools.read(SHOP_WEB));
        // then
        assertThat(harness.arm.asked())
                .extracting(ScriptedArm.Asked::path)
                .startsWith("/metadata/endpoints", "/metadata/endpoints", "/" + TENANT + "/oauth2/v2.0/token")
                .hasSize(5);
        assertThat(harness.arm.asked().get(2).body()).contains("https%3A%2F%2Fstack.example%2Faudience%2F.default");
    }

    @Test
    void of_several_discovered_clouds_the_one_with_our_endpoint_is_used() {
        // given
        URI arm = harness.arm.address();
        AzureCloud cloud = AzureCloud.discoveredAt(arm);
        harness.arm.then(200, """
            [{"name": "A", "resourceManager": "https://a.example",
              "authentication": {"loginEndpoint": "https://login.a.example", "audiences": ["https://a.example"]}},
             {"name": "B", "resourceManager": "%1$s/",
              "authentication": {"loginEndpoint": "%1$s/", "audiences": ["https://b.example"]}}]\
            """.formatted(arm)).then(200, TOKEN);
        // when
        AzureCredentials.of(settings(null, "s3cret", null, null), cloud, ArmHarness.httpClient())
                .getTokenSync(new TokenRequestContext().addScopes(cloud.scope()));
        // then
        assertThat(harness.arm.asked().getLast().body()).contains("https%3A%2F%2Fb.example%2F.default");
    }

    @Test
    void a_configured_audience_takes_precedence_over_the_clouds() {
        // given
        URI arm = harness.arm.address();
        AzureCloud cloud = AzureCloud.discoveredAt(arm).withAudience("https://ours.example");
        harness.arm.then(200, metadata(arm)).then(200, TOKEN);
        // when
        AzureCredentials.of(settings(null, "s3cret", null, null), cloud, ArmHarness.httpClient())
                .getTokenSync(new TokenRequestContext().addScopes(cloud.scope()));
        // then
        assertThat(harness.arm.asked().getLast().body()).contains("https%3A%2F%2Fours.example%2F.default");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "[{\"authentication\": {}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"http://plain.example\", \"audiences\": [\"a\"]}}]",
                "[{\"authentication\": {\"loginEndpoint\": \"https://login.example\", \"audiences\": []}}]"
            })
    void without_discovered_endpoints_there_is_no_token(String metadata) {
        // given
        harness.settings = AzureSettings.of(AzureCloud.discoveredAt(harness.arm.address()), harness.settings.scope());
        harness.arm.then(200, metadata);
        AzurePools pools = harness.builder(credential(settings(null, "s3cret", null, null)))
                .build();
        // when, then
        assertThat(failure(pools.read(SHOP_WEB)).describe())
                .startsWith("no token for Azure")
                .contains("/metadata/endpoints does not name a token authority");
        assertThat(harness.arm.asked()).hasSize(1);
    }

    @Test
    void load_balancers_of_another_tenant_are_read_with_that_tenants_token() {
        readWith(settings(NETWORK_TENANT, "s3cret", null, null), NETWORK_TENANT);
    }

    @Test
    void a_workload_identity_presents_its_federated_token() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "federated");
        assertThat(readWith(settings(null, "ignored", null, file.toString()), TENANT))
                .contains("client_assertion=federated")
                .doesNotContain("ignored");
    }

    @Test
    void a_client_certificate_signs_an_assertion() throws IOException {
        HeldCertificate held = new HeldCertificate.Builder().rsa2048().build();
        Path file = Files.writeString(
                folder.resolve("client.pem"), held.privateKeyPkcs8Pem() + "\n" + held.certificatePem());
        assertThat(readWith(settings(null, null, file.toString(), null), TENANT))
                .contains("client_assertion=ey");
    }

    @Test
    void a_client_certificate_may_be_protected_by_a_password() throws Exception {
        HeldCertificate held = new HeldCertificate.Builder().rsa2048().build();
        Path file = folder.resolve("client.pfx");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "client", held.keyPair().getPrivate(), "pa55".toCharArray(), new Certificate[] {held.certificate()});
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "pa55".toCharArray());
        }
        assertThat(readWith(
                        new AzureIdentitySettings(
                                TENANT, null, CLIENT, null, file.toString(), "pa55", false, null, false, null),
                        TENANT))
                .contains("client_assertion=ey");
    }

    @Test
    void without_identity_settings_the_default_chain_is_used() {
        assertThat(credential(AzureIdentitySettings.NONE)).hasToString(DefaultAzureCredential.class.getSimpleName());
    }

    @Test
    void a_refused_secret_is_terminal_and_never_shown() {
        // given
        harness.arm.otherwise(asked -> ScriptedArm.answer(
                401,
                "{\"error\": \"invalid_client\", \"error_description\": \"AADSTS7000215: Invalid client secret"
                        + " provided. client_secret=s3cret\", \"error_codes\": [7000215], \"correlation_id\": \"c\"}"));
        // when
        Failure failure = failure(harness.builder(credential(settings(null, "s3cret", null, null)))
                .build()
                .read(SHOP_WEB));
        // then
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isFalse());
        assertThat(failure.describe()).contains("AADSTS7000215").doesNotContain("s3cret");
    }

    @Test
    void an_unreachable_token_endpoint_is_retriable() {
        // given
        URI unreachable = URI.create("https://localhost:1/");
        TokenCredential credential = AzureCredentials.of(
                settings(null, "s3cret", null, null), AzureCloud.at(unreachable, unreachable), ArmHarness.httpClient());
        // when
        Failure failure = failure(harness.builder(credential).build().read(SHOP_WEB));
        // then
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isTrue());
        assertThat(harness.arm.asked()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"400, false", "401, false", "429, true", "503, true", "200, true"})
    @Rule(
            id = "A36",
            says = "A token endpoint that refuses the identity is a permanent failure; one that is busy, fails or"
                    + " answers with something else is a transient one. Both read: no token.",
            source = "ours; kedacore/keda#8152")
    void a_token_endpoint_that_may_answer_later_is_transient(int status, boolean retriable) {
        // given
        String body = status < 500 && status != 429 && status != 200
                ? "{\"error\": \"invalid_client\", \"error_description\": \"AADSTS700213: No matching federated"
                        + " identity record found.\", \"error_codes\": [700213]}"
                : "<html><body>The service is unavailable.</body></html>";
        harness.arm.otherwise(asked -> ScriptedArm.answer(status, body));
        // when
        Failure failure = failure(harness.builder(credential(settings(null, "s3cret", null, null)))
                .build()
                .read(SHOP_WEB));
        // then
        assertThat(failure.describe()).startsWith("no token for Azure: ").doesNotContain("could not be created");
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.Other.class,
                        other -> assertThat(other.retriable()).isEqualTo(retriable));
    }

    @Test
    void a_refused_token_is_not_taken_from_the_cache_of_the_sdk() {
        // given
        AtomicInteger tokens = new AtomicInteger();
        harness.arm.otherwise(asked -> asked.path().contains("/token")
                ? ScriptedArm.answer(
                        200,
                        "{\"token_type\": \"Bearer\", \"expires_in\": 86399, \"access_token\": \"T%d\"}"
                                .formatted(tokens.incrementAndGet()))
                : "Bearer T1".equals(asked.header("Authorization"))
                        ? ScriptedArm.answer(401, Bodies.error("ExpiredAuthenticationToken", "It has expired."))
                        : ScriptedArm.answer(200, Bodies.pool("10.0.0.4")));
        // when
        Reply<BackendPool> read = harness.builder(credential(settings(null, "s3cret", null, null)))
                .build()
                .read(SHOP_WEB);
        // then
        assertThat(ok(read).addresses()).hasSize(1);
        assertThat(tokens).hasValue(2);
    }

    @Test
    void missing_settings_are_named() {
        assertThatThrownBy(() -> credential(
                        new AzureIdentitySettings(TENANT, null, null, "s", null, null, false, null, false, null)))
                .hasMessage("aadClientId is missing, aadClientSecret needs it");
        assertThatThrownBy(() -> credential(settings(null, null, "/nowhere.pem", null)))
                .hasMessage("aadClientCertPath is \"/nowhere.pem\", must be a file that can be read");
        assertThatThrownBy(() -> credential(
                        new AzureIdentitySettings(TENANT, null, CLIENT, null, null, null, false, null, true, null)))
                .hasMessage("aadFederatedTokenFile is missing, useFederatedWorkloadIdentityExtension needs it");
    }

    @Test
    void settings_show_no_secret() {
        assertThat(new AzureIdentitySettings(TENANT, null, CLIENT, "hunter2", "c", "hunter3", false, null, false, null))
                .asString()
                .contains(CLIENT)
                .doesNotContain("hunter");
    }

    /** Azure/azure-sdk-for-net#16718. ARM's ids are written in any case. */
    @ParameterizedTest
    @CsvSource({
        CLIENT + ", client_id=" + CLIENT,
        "/subscriptions/s/id, mi_res_id=%2Fsubscriptions%2Fs%2Fid",
        "/Subscriptions/s/id, mi_res_id=%2FSubscriptions%2Fs%2Fid"
    })
    void a_managed_identity_asks_the_endpoint_from_the_environment_and_again_if_its_token_is_refused(
            String identity, String parameter) throws Exception {
        // given: the identity's endpoint is in the environment, hence a separate process
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-IDENTITY-HEADER"));
            byte[] body = ("{\"access_token\": \"managed-" + asked.size()
                            + "\", \"token_type\": \"Bearer\", \"resource\": \"r\", \"expires_on\":"
                            + " \""
                            + (System.currentTimeMillis() / 1000 + 3600) + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            // when
            ProcessBuilder child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            ManagedIdentityProbe.class.getName(),
                            identity)
                    .redirectErrorStream(true);
            child.environment().keySet().removeIf(key -> key.startsWith("AZURE_") || key.startsWith("MSI_"));
            child.environment()
                    .putAll(Map.of(
                            "IDENTITY_ENDPOINT",
                            "http://localhost:" + server.getAddress().getPort() + "/msi/token",
                            "IDENTITY_HEADER",
                            "header"));
            Process process = child.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            // then
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said).contains("managed-1 managed-1 managed-2");
            assertThat(asked)
                    .hasSize(2)
                    .allSatisfy(one -> assertThat(one)
                            .contains("resource=https%3A%2F%2Fmanagement.core.windows.net", parameter)
                            .endsWith(" header"));
        } finally {
            server.stop(0);
        }
    }
}
