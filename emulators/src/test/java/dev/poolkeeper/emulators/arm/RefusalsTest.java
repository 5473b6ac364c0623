package dev.poolkeeper.emulators.arm;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.ArmClient.Answer;
import dev.poolkeeper.emulators.arm.Throttling.Bucket;
import dev.poolkeeper.emulators.arm.Throttling.Window;
import dev.poolkeeper.fake.FakeTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusalsTest {

    private final FakeTime clock = new FakeTime();

    @RegisterExtension
    final ArmEmulatorExtension extension =
            ArmEmulatorExtension.with(Inventories.two()).clock(clock);

    private ArmEmulator arm;
    private ArmClient client;
    private String web;

    @BeforeEach
    void client() {
        arm = extension.emulator();
        client = new ArmClient(arm);
        web = client.pool("kubernetes", "shop-web");
    }

    @ParameterizedTest
    @CsvSource({
        "/subscriptions/none/providers/Microsoft.Network/loadBalancers, SubscriptionNotFound",
        "/subscriptions/SUB/resourceGroups/none/providers/Microsoft.Network/loadBalancers, ResourceGroupNotFound",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/loadBalancers/none, ResourceNotFound",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/loadBalancers/none/backendAddressPools,"
                + " ParentResourceNotFound",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/loadBalancers/none/backendAddressPools/p,"
                + " ParentResourceNotFound",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/loadBalancers/other/backendAddressPools/p,"
                + " NotFound",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/publicIPAddresses/x, InvalidResourceType",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Compute/disks/x, InvalidResourceNamespace",
        "/elsewhere, ResourceNotFound",
        "/subscriptions/SUB/resourceGroups/mc_rg/providers/Microsoft.Network/loadBalancers/%20, InvalidResourceType"
    })
    void an_unknown_resource_is_not_found_with_arms_message(String path, String code) throws Exception {
        Answer answer = client.get(path.replace("SUB", arm.subscription()));

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "'', MissingApiVersionParameter",
        "?api-version=, MissingApiVersionParameter",
        "?api-version=now, InvalidApiVersionParameter",
        "?api-version=2025-02-30, InvalidApiVersionParameter",
        "?api-version=2025-03-01-beta, InvalidApiVersionParameter"
    })
    void a_call_needs_an_api_version(String query, String code) throws Exception {
        Answer answer = client.send(client.request("GET", web + query, "").header("Authorization", "Bearer any"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo(code);
    }

    @Test
    void a_call_needs_a_token() throws Exception {
        Answer answer = client.send(client.request("GET", web + ArmClient.VERSION, ""));

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.code()).isEqualTo("AuthenticationFailed");
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer authorization_uri=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"client_secret=s", "client_assertion_type=jwt-bearer&client_assertion=a.b.c"})
    void a_client_gets_a_token_that_is_valid_until_it_expires(String proof) throws Exception {
        arm.change(settings -> settings.withOnlyIssuedTokens(true).withTokenLifetime(ofSeconds(60)));

        Answer token = client.send(client.request(
                "POST",
                "/any-tenant/oauth2/v2.0/token",
                "grant_type=client_credentials&client_id=me&scope=https%3A%2F%2Flocalhost%2F.default&" + proof));

        assertThat(token.status()).isEqualTo(200);
        assertThat(token.json().path("token_type").asText()).isEqualTo("Bearer");
        assertThat(token.json().path("expires_in").asInt()).isEqualTo(60);
        String bearer = "Bearer " + token.json().path("access_token").asText();
        assertThat(authorized(bearer).status()).isEqualTo(200);
        clock.advance(ofSeconds(60));
        assertThat(authorized(bearer).code()).isEqualTo("ExpiredAuthenticationToken");
        assertThat(authorized("Bearer other").code()).isEqualTo("InvalidAuthenticationToken");
        assertThat(authorized("Basic eDp5").code()).isEqualTo("AuthenticationFailedInvalidHeader");
    }

    private Answer authorized(String authorization) throws Exception {
        return client.send(client.request("GET", web + ArmClient.VERSION, "").header("Authorization", authorization));
    }

    @ParameterizedTest
    @CsvSource({
        "'', 400, unsupported_grant_type",
        "grant_type=password&client_id=me, 400, unsupported_grant_type",
        "grant_type=client_credentials, 400, invalid_request",
        "grant_type=client_credentials&client_id=me&client_secret=, 401, invalid_client"
    })
    void a_client_without_credentials_gets_no_token(String form, int status, String error) throws Exception {
        Answer answer = client.send(client.request("POST", "/t/oauth2/v2.0/token", form));

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.json().path("error").asText()).isEqualTo(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "not json",
                "{\"properties\": 1}",
                "{} {}",
                "{\"properties\": {\"loadBalancerBackendAddresses\": {}}}",
                "{\"properties\": {\"loadBalancerBackendAddresses\": [1]}}",
                "{\"properties\": {\"loadBalancerBackendAddresses\": [{\"name\": 1}]}}",
                "{\"properties\": {\"loadBalancerBackendAddresses\": [{\"properties\": {\"ipAddress\":"
                        + " \"10.0.0.400\"}}]}}",
                "{\"properties\": {\"loadBalancerBackendAddresses\": [{\"name\": \"a\"}, {\"name\": \"A\"}]}}"
            })
    void a_malformed_pool_is_refused_and_changes_nothing(String body) throws Exception {
        Answer before = client.get(web);

        Answer answer = client.put(web, body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).startsWith("Invalid");
        assertThat(client.get(web).response().body())
                .isEqualTo(before.response().body());
    }

    @Test
    void an_endless_body_is_refused() throws Exception {
        assertThat(client.put(web, "{\"x\":\"" + "y".repeat((16 << 20) + 1) + "\"}")
                        .status())
                .isEqualTo(413);
    }

    @Test
    void other_methods_are_not_allowed() throws Exception {
        Answer answer = client.call("PATCH", web, "{}");

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("GET, PUT, DELETE");
    }

    @Test
    void a_response_to_head_has_no_body() throws Exception {
        Answer answer = client.call("HEAD", web, "");

        assertThat(answer.status()).isEqualTo(405);
        assertThat(client.get(web).status()).isEqualTo(200);
    }

    @Test
    void if_match_on_an_unknown_resource_does_not_create_it() throws Exception {
        String missing = client.pool("other", "p");

        Answer ofNothing = client.put(missing, "{}", "If-Match", "*");
        assertThat(client.put(missing, "{}", "If-None-Match", "*").status()).isEqualTo(201);
        Answer ofSomething = client.put(missing, "{}", "If-None-Match", "*");

        assertThat(ofNothing.status()).isEqualTo(412);
        assertThat(detail(ofNothing)).startsWith("Etag provided in if-match header * matches nothing: resource /sub");
        assertThat(ofSomething.status()).isEqualTo(412);
        assertThat(detail(ofSomething)).startsWith("Etag provided in if-none-match header * matches etag W/");
    }

    private static String detail(Answer answer) {
        return answer.json().at("/error/details/0/message").asText();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%2Fb", "_x", "-x", "x.", "x-", "a%20b", "%C3%A4"})
    @Rule(
            id = "E3",
            says = "A load balancer or pool can only be created with a name that Azure allows.",
            source = "Azure's naming rules")
    void an_invalid_name_is_refused(String name) throws Exception {
        Answer pool = client.put(client.pool("kubernetes", name), "{}");
        Answer loadBalancer = client.put(client.loadBalancers() + "/" + name, "{\"location\":\"westeurope\"}");

        assertThat(pool.status()).isEqualTo(400);
        assertThat(pool.code()).isEqualTo("InvalidResourceName");
        assertThat(loadBalancer.code()).isEqualTo("InvalidResourceName");
    }

    @Test
    void a_name_has_80_characters_at_most() throws Exception {
        assertThat(client.put(client.pool("kubernetes", "x".repeat(80)), "{}").status())
                .isEqualTo(201);
        assertThat(client.put(client.pool("kubernetes", "x".repeat(81)), "{}").code())
                .isEqualTo("InvalidResourceName");
    }

    @Test
    void a_load_balancer_with_an_invalid_pool_name_is_refused() throws Exception {
        Answer answer = client.put(client.loadBalancers() + "/new", """
            {"location":"westeurope","properties":{"backendAddressPools":[{"name":"a/b"}]}}\
            """);

        assertThat(answer.code()).isEqualTo("InvalidResourceName");
        assertThat(client.get(client.loadBalancers() + "/new").status()).isEqualTo(404);
    }

    @Test
    void a_resource_type_that_is_not_emulated_is_reported_in_full() throws Exception {
        Answer answer = client.get(client.loadBalancers() + "/kubernetes/probes/p");

        assertThat(answer.json().at("/error/message").asText())
                .startsWith("The resource type 'loadBalancers/probes' could not be found");
    }

    @Test
    void a_bucket_empties_and_refills_over_time() throws Exception {
        arm.change(settings -> settings.withThrottling(Throttling.DOCUMENTED.withReads(new Bucket(2, 0.5))));

        assertThat(client.get(web).header("x-ms-ratelimit-remaining-subscription-reads"))
                .isEqualTo("1");
        assertThat(client.get(web).status()).isEqualTo(200);
        Answer refused = client.get(web);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("SubscriptionRequestsThrottled");
        assertThat(refused.header("Retry-After")).isEqualTo("2");
        clock.advance(ofSeconds(1));
        assertThat(client.get(web).header("Retry-After")).isEqualTo("1");
        clock.advance(ofSeconds(1));
        assertThat(client.get(web).status()).isEqualTo(200);
        assertThat(client.put(web, "{}").status()).isEqualTo(201);
    }

    @Test
    void the_network_provider_counts_writes_in_windows() throws Exception {
        arm.change(settings ->
                settings.withThrottling(Throttling.DOCUMENTED.withNetworkWrites(new Window(1, ofMinutes(5)))));

        assertThat(client.put(web, "{}").status()).isEqualTo(201);
        clock.advance(ofMinutes(2));
        Answer refused = client.delete(web);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("TooManyRequests");
        assertThat(refused.header("Retry-After")).isEqualTo("180");
        clock.advance(ofMinutes(3));
        assertThat(client.delete(web).status()).isEqualTo(202);
    }

    @Test
    void the_documented_sizes_let_250_reads_and_200_writes_through_at_once() throws Exception {
        Throttle throttle = new Throttle(Throttling.DOCUMENTED);
        int reads = 0;
        while (throttle.take("GET", clock.instant()).isEmpty()) {
            reads++;
        }
        int writes = 0;
        while (throttle.take("PUT", clock.instant()).isEmpty()) {
            writes++;
        }
        clock.advance(ofSeconds(1));
        int later = 0;
        while (throttle.take("GET", clock.instant()).isEmpty()) {
            later++;
        }

        assertThat(new int[] {reads, writes, later}).containsExactly(250, 200, 25);
    }

    @Test
    void every_answer_can_be_traced() throws Exception {
        Answer answer = client.get(web, "x-ms-client-request-id", "mine", "x-ms-return-client-request-id", "true");

        assertThat(answer.header("x-ms-client-request-id")).isEqualTo("mine");
        assertThat(answer.header("x-ms-request-id")).isNotBlank();
        assertThat(arm.requests().getLast().header("X-Ms-Correlation-Request-Id"))
                .isEqualTo(answer.header("x-ms-correlation-request-id"));
    }
}
