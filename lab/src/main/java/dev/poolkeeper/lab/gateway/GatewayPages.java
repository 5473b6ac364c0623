package dev.poolkeeper.lab.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The gateway's own pages: {@code /metrics} and {@code /livez}. Nothing can be changed through them. Thread-safe. */
final class GatewayPages implements AutoCloseable {

    private static final int BACKLOG = 64;
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private GatewayPages(HttpServer server) {
        this.server = server;
    }

    /** @throws IOException if the address is not this machine's, or the port is taken */
    static GatewayPages start(InetSocketAddress address, GatewayMetrics metrics) throws IOException {
        GatewayPages pages = new GatewayPages(HttpServer.create(address, BACKLOG));
        pages.server.createContext("/", exchange -> handle(exchange, metrics));
        pages.server.setExecutor(pages.threads);
        pages.server.start();
        return pages;
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    private static void handle(HttpExchange exchange, GatewayMetrics metrics) throws IOException {
        try (exchange) {
            boolean isGet = exchange.getRequestMethod().equals("GET");
            if (!isGet) {
                exchange.getResponseHeaders().set("Allow", "GET");
                exchange.getResponseHeaders().set("Connection", "close"); // rather than reading a body
            }
            switch (exchange.getRequestURI().getPath()) {
                case String path when !isGet -> send(exchange, 405, "only GET\n");
                case "/metrics" -> send(exchange, 200, metrics.text());
                case "/livez" -> send(exchange, 200, "ok\n");
                default -> send(exchange, 404, "there are /metrics and /livez\n");
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", TEXT);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
