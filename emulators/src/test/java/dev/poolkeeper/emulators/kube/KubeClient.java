package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** A plain HTTP client of an emulator. */
final class KubeClient {

    static final String SERVICES = "/api/v1/namespaces/shop/services";
    static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

    private final KubeEmulator emulator;
    private final HttpClient http = HttpClient.newHttpClient();
    private String token = "";

    KubeClient(KubeEmulator emulator) {
        this.emulator = emulator;
    }

    KubeClient withToken(String newToken) {
        KubeClient other = new KubeClient(emulator);
        other.token = newToken;
        return other;
    }

    static String service(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"shop\"}}"
                .formatted(name);
    }

    private HttpRequest.Builder to(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(emulator.uri().resolve(path)).header("Accept", "application/json");
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    CompletableFuture<HttpResponse<String>> sending(String method, String path, String type, String body) {
        return http.sendAsync(
                to(path).header("Content-Type", type)
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    HttpResponse<String> send(String method, String path, String body) {
        return sending(method, path, method.equals("PATCH") ? "application/merge-patch+json" : "application/json", body)
                .join();
    }

    HttpResponse<String> post(String path, String type, byte[] body) throws Exception {
        return http.send(
                to(path).header("Content-Type", type)
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
    }

    JsonNode get(String path) throws Exception {
        return KubeJson.MAPPER.readTree(send("GET", path, "").body());
    }

    JsonNode table(String path) throws Exception {
        HttpRequest request = to(path).setHeader("Accept", TABLE).build();
        return KubeJson.MAPPER.readTree(
                http.send(request, BodyHandlers.ofString()).body());
    }

    /** Lines of a watch; the reader ends when the watch does. */
    BufferedReader watch(String pathAndQuery) throws Exception {
        HttpResponse<InputStream> response = http.send(to(pathAndQuery).build(), BodyHandlers.ofInputStream());
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    static JsonNode next(BufferedReader watch) throws Exception {
        return KubeJson.MAPPER.readTree(watch.readLine());
    }
}
