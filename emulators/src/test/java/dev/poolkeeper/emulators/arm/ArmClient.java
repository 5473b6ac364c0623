package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** A client of an emulator, over TLS. */
final class ArmClient {

    static final String VERSION = "?api-version=2025-03-01";

    private static final JsonMapper MAPPER = new JsonMapper();

    private final ArmEmulator arm;
    private final HttpClient client;

    ArmClient(ArmEmulator arm) {
        this.arm = arm;
        this.client = HttpClient.newBuilder().sslContext(arm.sslContext()).build();
    }

    /** A response with its body as JSON; missing if it is empty. */
    record Answer(int status, HttpResponse<String> response, JsonNode json) {

        String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }

        String code() {
            return json.path("error").path("code").asText();
        }

        String state() {
            return json.path("properties").path("provisioningState").asText();
        }

        String etag() {
            return json.path("etag").asText();
        }
    }

    String loadBalancers() {
        return "/subscriptions/" + arm.subscription() + "/resourceGroups/" + arm.resourceGroup()
                + "/providers/Microsoft.Network/loadBalancers";
    }

    String pool(String loadBalancer, String pool) {
        return loadBalancers() + "/" + loadBalancer + "/backendAddressPools/" + pool;
    }

    Answer get(String path, String... headers) throws IOException, InterruptedException {
        return call("GET", path, "", headers);
    }

    Answer put(String path, String body, String... headers) throws IOException, InterruptedException {
        return call("PUT", path, body, headers);
    }

    Answer delete(String path, String... headers) throws IOException, InterruptedException {
        return call("DELETE", path, "", headers);
    }

    /** Sends it with a bearer token, and with an api-version if the path has none. */
    Answer call(String method, String path, String body, String... headers) throws IOException, InterruptedException {
        String url = path.contains("?") ? path : path + VERSION;
        HttpRequest.Builder request = request(method, url, body).header("Authorization", "Bearer any");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    /** Sends it as given: no token, no api-version. */
    HttpRequest.Builder request(String method, String url, String body) {
        URI uri = URI.create(url.startsWith("https:") ? url : arm.baseUri() + url);
        return HttpRequest.newBuilder(uri)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    }

    Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        boolean json = !response.body().isEmpty()
                && response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
        return new Answer(
                response.statusCode(), response, json ? MAPPER.readTree(response.body()) : MAPPER.missingNode());
    }

    /** A body for a pool with these addresses. */
    static String poolWith(String... addresses) {
        StringBuilder body = new StringBuilder("{\"properties\":{\"loadBalancerBackendAddresses\":[");
        for (int i = 0; i < addresses.length; i++) {
            body.append(i == 0 ? "" : ",")
                    .append("{\"name\":\"node-%d\",\"properties\":{\"ipAddress\":\"%s\"}}".formatted(i, addresses[i]));
        }
        return body.append("]}}").toString();
    }
}
