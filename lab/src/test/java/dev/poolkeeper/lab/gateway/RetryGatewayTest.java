package dev.poolkeeper.lab.gateway;

import static dev.poolkeeper.lab.gateway.GatewayFixture.ROUTE;
import static dev.poolkeeper.lab.gateway.GatewayFixture.attempts;
import static dev.poolkeeper.lab.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Retries, timeouts and budgets of shipped code, over real connections on the loopback interface. */
class RetryGatewayTest {

    private static final String ONE_RETRY = """
        apiVersion: gateway.networking.x-k8s.io/v1alpha1
        kind: XBackendTrafficPolicy
        metadata: {name: budget}
        spec:
          targetRefs: [{group: "", kind: Service, name: web}]
          retryConstraint: {budget: {percent: 0, interval: 1h}, minRetryRate: {count: 1, interval: 1h}}
        """;

    @TempDir
    private Path folder;

    @Test
    @Rule(
            id = "P102",
            says = "retry-gateway responds with 502 if there is no connection to the backend, and with 503 if the"
                    + " connection closes before there is a response.",
            source = "Gateway API conformance, httproute-retry-connection-error: 500 or 503")
    void a_refused_and_a_lost_connection_are_told_apart() throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, route("retry: {attempts: 1, backoff: 1ms}"))) {
            world.backend.breaksOff(2);
            HttpResponse<String> lost = world.get("/");
            world.backend.close();
            HttpResponse<String> none = world.get("/");
            assertThat(lost.statusCode()).isEqualTo(503);
            assertThat(lost.body()).isEqualTo("the backend closed the connection before it responded\n");
            assertThat(none.statusCode()).isEqualTo(502);
            assertThat(none.body()).isEqualTo("no connection to the backend\n");
            assertThat(attempts(none)).isEqualTo("2");
        }
    }

    @Test
    @Rule(
            id = "P104",
            says = "retry-gateway responds with 504 once timeouts.request has elapsed, whatever attempts are left; the"
                    + " attempt in progress is cancelled.",
            source = "GEP-1731: MUST immediately return a timeout error; Linkerd 2.2 retries: HTTP 504")
    void a_request_that_takes_too_long() throws Exception {
        String stanzas = "retry: {codes: [500], attempts: 50}\ntimeouts: {request: 300ms, backendRequest: 100ms}\n";
        try (GatewayFixture world = new GatewayFixture(folder, route(stanzas))) {
            world.backend.hangs(50);
            HttpResponse<String> answer = world.get("/");
            assertThat(answer.statusCode()).isEqualTo(504);
            assertThat(answer.body()).isEqualTo("the request timeout has expired\n");
            assertThat(world.backend.received()).hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    @Rule(
            id = "P105",
            says = "retry-gateway responds with 503 beyond the budget of a retryConstraint, even if the backend's"
                    + " response was 500; all routes to a backend share one budget.",
            source = "BackendTrafficPolicy: additional retries MUST return a 503 response to the client")
    void beyond_the_budget_the_client_gets_the_503() throws Exception {
        String other = route("retry: {codes: [500], attempts: 9, backoff: 1ms}\nmatches: [{path: {value: /b}}]\n")
                .replace("{name: web}\nspec", "{name: other}\nspec");
        try (GatewayFixture world = new GatewayFixture(
                folder, route("retry: {codes: [500], attempts: 9, backoff: 1ms}"), other, ONE_RETRY)) {
            world.backend.answers(500, 99);
            HttpResponse<String> first = world.get("/a");
            HttpResponse<String> second = world.get("/b");
            assertThat(first.statusCode()).isEqualTo(503);
            assertThat(attempts(first)).isEqualTo("2");
            assertThat(first.body()).isEqualTo("the retry budget of the backend is exhausted\n");
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(attempts(second)).isEqualTo("1");
        }
    }

    @Test
    @Rule(
            id = "P106",
            says = "retry-gateway applies to a ServiceProfile's requests, selected by their Host, the policy of the"
                    + " first matching route; routes that are not marked retryable are not retried, and beyond the"
                    + " budget the backend's last response is returned.",
            source = "Linkerd 2.2 retries")
    void a_service_profile_applies_to_its_host() throws Exception {
        String profile = """
            apiVersion: linkerd.io/v1alpha2
            kind: ServiceProfile
            metadata: {name: web.default.svc.cluster.local}
            spec:
              retryBudget: {retryRatio: 1, minRetriesPerSecond: 0, ttl: 60s}
              routes:
              - {name: get, condition: {method: GET, pathRegex: "/books/[^/]*"}, isRetryable: true}
              - {name: put, condition: {method: PUT}}
            """;
        try (GatewayFixture world = new GatewayFixture(folder, profile)) {
            world.backend.answers(500, 99);
            String[] host = {"Host", "web.default:8080"};
            HttpResponse<String> put = world.send("PUT", "/books/1", BodyPublishers.ofString("x"), host);
            HttpResponse<String> get = world.send("GET", "/books/1", BodyPublishers.noBody(), host);
            HttpResponse<String> unmarked = world.send("GET", "/other", BodyPublishers.noBody(), host);
            assertThat(put.statusCode()).isEqualTo(500);
            assertThat(attempts(put)).isEqualTo("1");
            assertThat(get.statusCode()).isEqualTo(500);
            assertThat(attempts(get)).isEqualTo("3");
            assertThat(attempts(unmarked)).isEqualTo("1");
            assertThat(world.send("GET", "/", BodyPublishers.noBody(), "Host", "elsewhere")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    @Rule(
            id = "P107",
            says = "retry-gateway buffers bodies up to 64 KiB for retries; a larger one is streamed and sent once.",
            source = "ours")
    void requests_with_small_bodies_are_retried_and_those_with_large_ones_are_not() throws Exception {
        try (GatewayFixture world =
                new GatewayFixture(folder, route("retry: {codes: [503], attempts: 2, backoff: 1ms}"))) {
            String small = "s".repeat(64 << 10);
            world.backend.answers(503, 1);
            HttpResponse<String> repeated = world.send("POST", "/", BodyPublishers.ofString(small));
            assertThat(repeated.body()).isEqualTo(small);
            assertThat(attempts(repeated)).isEqualTo("2");

            for (int size : List.of((64 << 10) + 1, 1 << 20)) {
                String large = "l".repeat(size);
                world.backend.answers(503, 1);
                HttpResponse<String> once = world.send("POST", "/", BodyPublishers.ofString(large));
                HttpResponse<String> well = world.send("POST", "/", BodyPublishers.ofString(large));
                assertThat(once.statusCode()).isEqualTo(503);
                assertThat(attempts(once)).isEqualTo("1");
                assertThat(well.body()).isEqualTo(large);
            }
        }
    }

    @Test
    @Rule(
            id = "P108",
            says = "retry-gateway's HTTP client retries nothing by itself: a kept-alive connection that breaks without"
                    + " a response is a 503 if there are no retries.",
            source = "ours")
    void nothing_is_retried_without_a_policy() throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(world.get("/").statusCode()).isEqualTo(200);
            world.backend.breaksOff(1);
            HttpResponse<String> answer = world.get("/");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(world.backend.received()).hasSize(1);
        }
    }

    @Test
    @Rule(
            id = "P109",
            says = "retry-gateway follows its files: changed routes apply to later requests, a budget keeps its"
                    + " earlier withdrawals, and invalid files leave the last good routes in force.",
            source = "ours")
    void the_routes_follow_their_files() throws Exception {
        String retried = route("retry: {codes: [500], attempts: 1, backoff: 1ms}");
        try (GatewayFixture world = new GatewayFixture(folder, retried, ONE_RETRY)) {
            world.backend.answers(500, 99);
            assertThat(attempts(world.get("/"))).isEqualTo("2");
            assertThat(world.change(retried.replace("attempts: 1", "attempts: 5"), ONE_RETRY))
                    .isTrue();
            HttpResponse<String> spent = world.get("/");
            assertThat(spent.statusCode()).isEqualTo(503);
            assertThat(attempts(spent)).isEqualTo("1");
            assertThat(world.change("kind: HTTPRoute\n")).isFalse();
            assertThat(world.get("/").statusCode()).isEqualTo(503);
            assertThat(world.change(ROUTE)).isTrue();
            assertThat(world.get("/").statusCode()).isEqualTo(500);
        }
    }

    @Test
    @Rule(
            id = "P101",
            says = "A page of retry-gateway shows the measurements of each route next to what simulate-retries"
                    + " predicts for the same policy, rate and backend.",
            source = "ours")
    void a_page_shows_measurements_and_predictions() throws Exception {
        try (GatewayFixture world =
                new GatewayFixture(folder, route("retry: {codes: [500], attempts: 9, backoff: 1ms}"))) {
            assertThat(world.page("/compare")).contains("No requests yet");
            world.backend.answersAll(
                    number -> exchange -> exchange.sendResponseHeaders(number % 2 == 0 ? 500 : 200, -1));
            for (int i = 0; i < 20; i++) {
                assertThat(world.get("/").statusCode()).isEqualTo(200);
            }
            String page = world.page("/compare");
            assertThat(page).contains("<h2>default/web rule 0</h2>", ">PREDICTED<", ">LATENCY_P99<");
            assertThat(page).containsPattern("EFFECTIVE_SUCCESS</td><td[^>]*>100.0 %</td><td[^>]*>(99|100)[.]. % \\(");
            assertThat(page).containsPattern("ACTUAL_SUCCESS</td><td[^>]*>51.3 %</td><td[^>]*>5[0-2]\\.. % \\(");
        }
    }

    @Test
    void a_route_with_unlimited_retries_has_a_prediction() throws Exception {
        String stanzas = "retry: {codes: [500], attempts: 2147483647, backoff: 0s}\ntimeouts: {request: 100ms}\n";
        try (GatewayFixture world = new GatewayFixture(folder, route(stanzas))) {
            world.backend.answers(500, Integer.MAX_VALUE);
            assertThat(world.get("/").statusCode()).isEqualTo(504);
            assertThat(world.page("/compare")).contains(">EFFECTIVE_SUCCESS<");
        }
    }

    @Test
    @Timeout(60)
    void the_metrics_count_requests_attempts_and_retries() throws Exception {
        try (GatewayFixture world =
                new GatewayFixture(folder, route("retry: {codes: [500], attempts: 1, backoff: 1ms}"), ONE_RETRY)) {
            world.backend.answers(500, 1);
            assertThat(world.get("/").statusCode()).isEqualTo(200);
            String page = world.page("/metrics");
            while (!page.contains("request_duration_seconds_count 1\n")) { // it is counted when the answer is sent
                page = world.page("/metrics");
            }
            assertThat(page)
                    .contains(
                            "poolkeeper_gateway_requests_total{route=\"default/web rule 0\",status=\"200\"} 1\n",
                            "poolkeeper_gateway_attempts_total{route=\"default/web rule 0\",result=\"500\"} 1\n",
                            "poolkeeper_gateway_retries_total{route=\"default/web rule 0\"} 1\n",
                            "poolkeeper_gateway_request_duration_seconds_count 1\n",
                            "poolkeeper_gateway_retry_budget_balance{budget=\"web\"} 0\n");
        }
    }
}
