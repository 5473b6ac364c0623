package dev.poolkeeper.azure;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** An HTTPS server on the loopback interface that gives scripted responses in order, and records the requests. */
final class ScriptedArm implements AutoCloseable {

    private static final HeldCertificate CA = new HeldCertificate.Builder()
            .certificateAuthority(0)
            .commonName("test CA")
            .build();
    private static final HeldCertificate SERVER = new HeldCertificate.Builder()
            .addSubjectAlternativeName("localhost")
            .addSubjectAlternativeName("arm.test")
            .addSubjectAlternativeName("127.0.0.1")
            .signedBy(CA)
            .build();

    /** A received request. */
    record Asked(String method, String path, String query, Map<String, List<String>> headers, String body) {
        String header(String name) {
            List<String> values = headers.entrySet().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(List.of());
            return values.isEmpty() ? "" : values.getFirst();
        }
    }

    /** A response. */
    @FunctionalInterface
    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Deque<Answer> script = new ArrayDeque<>();
    private final List<Asked> asked = new ArrayList<>();
    private volatile Function<Asked, Answer> fallback = request -> answer(500, "{}");

    ScriptedArm() throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(new HandshakeCertificates.Builder()
                .heldCertificate(SERVER)
                .build()
                .sslContext()));
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    static Path caFile(Path folder) throws IOException {
        return Files.writeString(folder.resolve("ca.pem"), CA.certificatePem());
    }

    URI address() {
        return URI.create("https://localhost:" + server.getAddress().getPort());
    }

    ScriptedArm then(Answer answer) {
        synchronized (script) {
            script.add(answer);
        }
        return this;
    }

    ScriptedArm then(int status, String body, String... headers) {
        return then(answer(status, body, headers));
    }

    /** The response after the end of the script. */
    void otherwise(Function<Asked, Answer> answer) {
        fallback = answer;
    }

    List<Asked> asked() {
        synchronized (script) {
            return List.copyOf(asked);
        }
    }

    List<String> methods() {
        return asked().stream().map(Asked::method).toList();
    }

    static Answer answer(int status, String body, String... headers) {
        return exchange -> send(exchange, status, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    /** Announces a longer body than it sends. */
    static Answer truncated(int status, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length + 100);
            exchange.getResponseBody().write(bytes);
            exchange.getResponseBody().flush();
            throw new IOException("cut off");
        };
    }

    static Answer dropped() {
        return exchange -> {
            throw new IOException("dropped");
        };
    }

    static void send(HttpExchange exchange, int status, byte[] body, String... headers) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
        for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Asked request = new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                String.valueOf(exchange.getRequestURI().getRawQuery()),
                Map.copyOf(exchange.getRequestHeaders()),
                body);
        Answer answer;
        synchronized (script) {
            asked.add(request);
            answer = script.poll();
        }
        try {
            (answer == null ? fallback.apply(request) : answer).to(exchange);
        } finally {
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
