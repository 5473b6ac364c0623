package dev.poolkeeper.app.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** Objects of the API server, read as any client reads them. */
final class KubeObjects {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private KubeObjects() {}

    static JsonNode get(KubeEmulator kube, String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(kube.uri() + path)).build();
        return MAPPER.readTree(
                HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    /** The Events that {@code kubectl describe service} shows: those of core/v1 about exactly this object. */
    static List<JsonNode> eventsOf(KubeEmulator kube, String namespace, String service)
            throws IOException, InterruptedException {
        String in = "/api/v1/namespaces/" + namespace;
        String uid = get(kube, in + "/services/" + service)
                .path("metadata")
                .path("uid")
                .asText();
        return get(kube, in + "/events?fieldSelector=involvedObject.uid%3D" + uid + ",involvedObject.name%3D" + service)
                .path("items")
                .valueStream()
                .toList();
    }

    /** The holder of a Lease in {@code kube-system}, empty for none. */
    static String holder(KubeEmulator kube, String lease) throws IOException, InterruptedException {
        return get(kube, "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/" + lease)
                .path("spec")
                .path("holderIdentity")
                .asText("");
    }
}
