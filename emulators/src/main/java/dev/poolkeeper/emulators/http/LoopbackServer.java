package dev.poolkeeper.emulators.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.End;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Head;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.emulators.tls.LoopbackTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Serves a service over HTTP/1.1 or HTTPS on the loopback address, with one virtual thread per request. */
public final class LoopbackServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads;

    private LoopbackServer(HttpServer server) {
        this.server = server;
        this.threads = Executors.newVirtualThreadPerTaskExecutor();
    }

    /**
     * Opens the port; requests are not answered before {@link #serve}.
     *
     * @param port 0 for a free one
     * @param tls null for plain HTTP
     * @throws IOException if the port is taken
     */
    public static LoopbackServer open(int port, @Nullable LoopbackTls tls) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
        if (tls == null) {
            return new LoopbackServer(HttpServer.create(address, 0));
        }
        HttpsServer https = HttpsServer.create(address, 0);
        https.setHttpsConfigurator(new HttpsConfigurator(tls.server()));
        return new LoopbackServer(https);
    }

    /** Serves requests with this service from now on. */
    public void serve(HttpService service) {
        server.setExecutor(threads);
        server.createContext("/", exchange -> handle(exchange, service));
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private static void handle(HttpExchange exchange, HttpService service) throws IOException {
        try (exchange) { // closing it without a response closes the connection
            byte[] body = exchange.getRequestBody().readNBytes(HttpCall.LARGEST_BODY + 1);
            HttpCall call = HttpCall.of(
                    exchange.getRequestMethod(), exchange.getRequestURI(), exchange.getRequestHeaders(), body);
            if (call.isTooLarge()) {
                exchange.getResponseHeaders().set("Connection", "close"); // instead of reading the rest
            }
            BlockingQueue<AnswerPart> parts = new LinkedBlockingQueue<>();
            Serving serving = service.serve(call, parts::add);
            try {
                boolean more = true;
                while (more) {
                    more = send(exchange, parts.take());
                }
            } finally {
                serving.abandon();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server is being stopped
        }
    }

    /** Returns whether more parts follow. */
    private static boolean send(HttpExchange exchange, AnswerPart part) throws IOException {
        return switch (part) {
            case Whole whole -> {
                send(exchange, whole);
                yield false;
            }
            case Head head -> {
                setHeaders(exchange, head.headers());
                exchange.sendResponseHeaders(head.status(), 0);
                exchange.getResponseBody().flush();
                yield true;
            }
            case Frame frame -> {
                exchange.getResponseBody().write(frame.bytes());
                exchange.getResponseBody().flush();
                yield true;
            }
            case End() -> {
                exchange.getResponseBody().close();
                yield false;
            }
            case Dropped() -> false;
        };
    }

    private static void send(HttpExchange exchange, Whole answer) throws IOException {
        setHeaders(exchange, answer.headers());
        boolean noBody = answer.status() == 204
                || answer.announced() == 0
                || exchange.getRequestMethod().equals("HEAD");
        if (answer.status() != 204 && noBody) {
            exchange.getResponseHeaders().set("Content-Length", "0");
        }
        exchange.sendResponseHeaders(answer.status(), noBody ? -1 : answer.announced());
        if (!noBody) {
            exchange.getResponseBody().write(answer.body());
            exchange.getResponseBody().flush();
        }
    }

    private static void setHeaders(HttpExchange exchange, Map<String, String> headers) {
        headers.forEach(exchange.getResponseHeaders()::set);
    }

    /** Stops immediately; requests in progress lose their connection. Further calls have no effect. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
