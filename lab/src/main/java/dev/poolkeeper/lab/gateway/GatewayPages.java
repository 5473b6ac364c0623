package dev.poolkeeper.lab.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.app.admin.HostNames;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The gateway's own pages: {@code /}, {@code /metrics}, {@code /compare} and {@code /livez}. Read-only. Thread-safe.
 */
final class GatewayPages implements AutoCloseable {

    private static final int BACKLOG = 64;
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String PAGES = """
        /compare  what was measured on each route, next to what simulate-retries predicts
        /metrics  the same for Prometheus
        /livez    ok while the gateway runs
        """;
    private static final String HTML = "text/html; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private GatewayPages(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts to serve.
     *
     * @param comparison renders the page {@code /compare}
     * @throws IOException if the address is not local or the port is in use
     */
    static GatewayPages start(InetSocketAddress address, GatewayMetrics metrics, Supplier<String> comparison)
            throws IOException {
        GatewayPages pages = new GatewayPages(HttpServer.create(address, BACKLOG));
        pages.server.createContext("/", exchange -> handle(exchange, metrics, comparison));
        pages.server.setExecutor(pages.threads);
        pages.server.start();
        return pages;
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    private static void handle(HttpExchange exchange, GatewayMetrics metrics, Supplier<String> comparison)
            throws IOException {
        try (exchange) {
            if (!HostNames.USUAL.allow(exchange.getRequestHeaders().getOrDefault("Host", List.of()))) {
                send(exchange, 421, TEXT, "this server does not answer under the name in the Host header\n");
                return;
            }
            boolean isGet = exchange.getRequestMethod().equals("GET");
            if (!isGet) {
                exchange.getResponseHeaders().set("Allow", "GET");
                exchange.getResponseHeaders().set("Connection", "close"); // instead of reading a body
            }
            switch (exchange.getRequestURI().getPath()) {
                case String path when !isGet -> send(exchange, 405, TEXT, "only GET is allowed\n");
                case "/" -> send(exchange, 200, TEXT, PAGES);
                case "/metrics" -> send(exchange, 200, TEXT, metrics.text());
                case "/compare" -> send(exchange, 200, HTML, comparison.get());
                case "/livez" -> send(exchange, 200, TEXT, "ok\n");
                default -> send(exchange, 404, TEXT, "not found; available: /metrics, /compare and /livez\n");
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
