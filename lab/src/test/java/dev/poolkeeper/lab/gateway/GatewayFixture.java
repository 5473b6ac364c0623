package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.ports.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A gateway between a client and one backend, the Service {@code web}. */
final class GatewayFixture implements AutoCloseable {

    static final String ROUTE = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: HTTPRoute
        metadata: {name: web}
        spec:
          rules:
          - backendRefs: [{name: web, port: 80}]
        """;

    final TestBackend backend = new TestBackend();
    final List<String> notes = new ArrayList<>();
    private final Path file;
    private final SystemTime time = new SystemTime();
    private final RunningGateway gateway;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    GatewayFixture(Path folder, String... manifests) throws Exception {
        file = Files.writeString(folder.resolve("routes.yaml"), String.join("---\n", manifests));
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        gateway = RunningGateway.start(
                new RunningGateway.Settings(List.of(file), List.of(backend.as("web")), any, any), time, notes::add);
    }

    /** {@link #ROUTE} with additions to its rule. */
    static String route(String stanzas) {
        return ROUTE + stanzas.indent(4);
    }

    /** Replaces the manifests in the file, and waits until the gateway has read them. */
    boolean change(String... manifests) throws IOException {
        Files.writeString(file, String.join("---\n", manifests));
        return gateway.look();
    }

    HttpResponse<String> get(String target) throws Exception {
        return send("GET", target, BodyPublishers.noBody());
    }

    HttpResponse<String> send(String method, String target, BodyPublisher body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.address().getPort() + target))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** A client's connection. */
    Socket connected() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), gateway.address().getPort());
    }

    /** The first line of the response to some bytes. */
    String raw(String bytes) throws IOException {
        try (Socket socket = connected()) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return answer.lines().findFirst().orElse("");
        }
    }

    /** A page of its own. */
    String page(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + path))
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    static String attempts(HttpResponse<?> answer) {
        return answer.headers().firstValue("x-poolkeeper-attempts").orElse("");
    }

    @Override
    public void close() {
        gateway.close();
        backend.close();
        client.close();
        time.close();
    }
}
