package dev.poolkeeper.lab.gateway;

import static dev.poolkeeper.lab.gateway.GatewayFixture.ROUTE;
import static dev.poolkeeper.lab.gateway.GatewayFixture.attempts;
import static dev.poolkeeper.lab.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.lab.gateway.TestBackend.Received;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where requests are routed, which parts are forwarded, and which are refused. */
class GatewayRoutingTest {

    @TempDir
    private Path folder;

    @Test
    @Rule(
            id = "P110",
            says = "retry-gateway responds with 404 if no rule matches, and with 500 and the reason if a rule has an"
                    + " unknown backend, a filter, or no backendRef with a weight above 0.",
            source = "ours")
    void an_unroutable_request_gets_a_reason() throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: r}
            spec:
              rules:
              - matches: [{path: {value: /unknown}}]
                backendRefs: [{name: other}]
              - matches: [{path: {value: /filter}}]
                backendRefs: [{name: web}]
                filters: [{type: RequestMirror}]
              - matches: [{path: {value: /weight}}]
                backendRefs: [{name: web, weight: 0}]
              - matches: [{path: {value: /second}}]
                backendRefs: [{name: other, weight: 0}, {name: web, weight: 1}]
            """)) {
            assertThat(world.get("/else").statusCode()).isEqualTo(404);
            assertThat(world.get("/else").body())
                    .startsWith("no route matches the request; there are routes for the hosts ");
            assertThat(world.get("/unknown").statusCode()).isEqualTo(500);
            assertThat(world.get("/unknown").body())
                    .isEqualTo("the rule cannot be applied: there is no --backend for Service other\n");
            assertThat(world.get("/filter").body())
                    .isEqualTo("the rule cannot be applied: it has the filter RequestMirror\n");
            assertThat(world.get("/weight").body())
                    .isEqualTo("the rule cannot be applied: no backendRef has a weight above 0\n");
            assertThat(world.get("/second").statusCode()).isEqualTo(200);
            assertThat(world.notes).hasSize(4);
        }
    }

    @Test
    @Rule(
            id = "P111",
            says = "retry-gateway prefers the most specific host, then an exact path, then the longest prefix, then a"
                    + " method, then headers, then query parameters, then the older route.",
            source = "HTTPRoute, hostnames and rules.matches")
    void the_most_specific_match_goes_first() throws Exception {
        String host = route("retry: {codes: [500], attempts: 6, backoff: 1ms}")
                .replace("name: web}\nspec:\n", "name: host}\nspec:\n  hostnames: [\"*.example.com\"]\n");
        try (GatewayFixture world = new GatewayFixture(folder, host, """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: r}
            spec:
              rules:
              - backendRefs: [{name: web}]
              - matches: [{path: {value: /a}}]
                backendRefs: [{name: web}]
                retry: {codes: [500], attempts: 1, backoff: 1ms}
              - matches: [{path: {value: /a}, method: PUT}]
                backendRefs: [{name: web}]
                retry: {codes: [500], attempts: 2, backoff: 1ms}
              - matches: [{path: {value: /a}, headers: [{name: X-Team, value: blue}]}]
                backendRefs: [{name: web}]
                retry: {codes: [500], attempts: 3, backoff: 1ms}
              - matches: [{path: {value: /a}, queryParams: [{name: q, value: "1"}]}]
                backendRefs: [{name: web}]
                retry: {codes: [500], attempts: 4, backoff: 1ms}
              - matches: [{path: {type: Exact, value: /a/b}}]
                backendRefs: [{name: web}]
                retry: {codes: [500], attempts: 5, backoff: 1ms}
            """)) {
            world.backend.answers(500, 999);
            assertThat(attempts(world.get("/"))).isEqualTo("1");
            assertThat(attempts(world.get("/a/c"))).isEqualTo("2");
            assertThat(attempts(world.send("PUT", "/a", BodyPublishers.noBody(), "X-Team", "blue")))
                    .isEqualTo("3");
            assertThat(attempts(world.send("GET", "/a?q=1", BodyPublishers.noBody(), "x-team", "blue")))
                    .isEqualTo("4");
            assertThat(attempts(world.get("/a?q=1"))).isEqualTo("5");
            assertThat(attempts(world.get("/a/b"))).isEqualTo("6");
            assertThat(attempts(world.send("GET", "/a/b", BodyPublishers.noBody(), "Host", "WWW.example.com:80")))
                    .isEqualTo("7");
            assertThat(attempts(world.send("GET", "/", BodyPublishers.noBody(), "Host", "example.com")))
                    .isEqualTo("1");
        }
    }

    @Test
    @Rule(
            id = "P112",
            says = "retry-gateway keeps the Host and the target, adds Via and X-Forwarded-For, and forwards no"
                    + " hop-by-hop headers in either direction.",
            source = "RFC 9110, section 7.6")
    void hop_by_hop_headers_are_not_forwarded() throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            HttpResponse<String> answer = world.send(
                    "GET",
                    "/a%20b?x=%2F&y",
                    BodyPublishers.noBody(),
                    "Host",
                    "shop.example.com",
                    "TE",
                    "trailers",
                    "Proxy-Authorization",
                    "Basic eDp5",
                    "X-Forwarded-For",
                    "192.0.2.1");
            Received received = world.backend.received().get(0);
            assertThat(received.target()).isEqualTo("/a%20b?x=%2F&y");
            assertThat(received.headers().getFirst("Host")).isEqualTo("shop.example.com");
            assertThat(received.headers().getFirst("Via")).isEqualTo("1.1 poolkeeper");
            assertThat(received.headers().getFirst("X-Forwarded-For")).isEqualTo("192.0.2.1, 127.0.0.1");
            assertThat(received.headers()).doesNotContainKeys("Te", "Proxy-authorization");
            assertThat(answer.headers().firstValue("X-Private")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1|Host: a|Content-Length: 4|Transfer-Encoding: chunked||0||",
                "POST / HTTP/1.1|Host: a|Content-Length: 4|Content-Length: 5||abcde",
                "POST / HTTP/1.1|Host: a|Content-Length: 4|Content-Length: 4||abcd",
                "POST / HTTP/1.1|Host: a|Content-Length: +4||abcd",
                "POST / HTTP/1.1|Host: a|Content-Length: 4, 4||abcd",
                "POST / HTTP/1.1|Host: a|Content-Length: -1||abcd",
                "POST / HTTP/1.1|Host: a|Content-Length : 4||abcd",
                "GET / HTTP/1.1|Host: a|Host: b||",
                "GET / HTTP/1.1||",
                "GET / HTTP/1.1|Host: a b||",
                "GET //evil.example/ HTTP/1.1|Host: a||",
                "GET /a/../admin HTTP/1.1|Host: a||",
                "GET /a/%2e%2E/admin HTTP/1.1|Host: a||"
            })
    @Rule(
            id = "P113",
            says = "retry-gateway refuses requests that a backend could interpret differently: two lengths, an invalid"
                    + " length, a length together with chunks, two hosts, spaces in names, dot segments.",
            source = "RFC 9112, section 11.2")
    void ambiguous_requests_are_refused(String request) throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(world.raw(request.replace("|", "\r\n"))).startsWith("HTTP/1.1 400 ");
            assertThat(world.backend.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: gzip, chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: chunked|Transfer-Encoding: chunked||0||",
                "POST / HTTP/1.1|Host: a|Transfer-Encoding: xchunked||0||"
            })
    void other_transfer_encodings_are_not_implemented(String request) throws Exception {
        try (GatewayFixture world = new GatewayFixture(folder, ROUTE)) {
            assertThat(world.raw(request.replace("|", "\r\n"))).startsWith("HTTP/1.1 501 ");
            assertThat(world.backend.received()).isEmpty();
        }
    }
}
