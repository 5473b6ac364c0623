package dev.poolkeeper.lab.gateway;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.lab.gateway.BackendClient.Answer;
import dev.poolkeeper.lab.gateway.Destination.Forward;
import dev.poolkeeper.lab.gateway.Destination.Refuse;
import dev.poolkeeper.lab.gateway.ProxiedExchange.Result;
import dev.poolkeeper.lab.gateway.ReceivedRequest.RefusedException;
import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway: an HTTP/1.1 server that forwards each request according to a {@link RoutingTable}, on one virtual thread
 * per request. It is for trying policies, not for production: no TLS, no HTTP/2 and one address per backend.
 * Thread-safe.
 */
public final class RetryGateway implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RetryGateway.class);
    private static final int BACKLOG = 1_024;
    private static final int MOST_IN_PROGRESS = 4_096;
    private static final long LARGEST_BODY = 1L << 30;
    private static final int PIECE = 16 << 10;
    private static final String ATTEMPTS = "x-poolkeeper-attempts";

    static {
        // The JDK's server supports these only for the whole process, and only before its first use.
        set("sun.net.httpserver.nodelay", "true");
        set("sun.net.httpserver.maxReqTime", "60"); // seconds within which a request must arrive completely
        set("sun.net.httpserver.maxReqHeaderSize", Integer.toString(ReceivedRequest.LARGEST_HEAD));
        set("sun.net.httpserver.maxReqHeaders", Integer.toString(ReceivedRequest.MOST_FIELDS));
        set("sun.net.httpserver.maxIdleConnections", "2000");
        set("jdk.httpserver.maxConnections", "10000");
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final BackendClient client;
    private final GatewayMetrics metrics;
    private final Supplier<RoutingTable> table;
    private final Time time;
    private final Semaphore places = new Semaphore(MOST_IN_PROGRESS);

    private RetryGateway(HttpServer server, Supplier<RoutingTable> table, GatewayMetrics metrics, Time time) {
        this.server = server;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("gateway-", 0).factory());
        this.client = new BackendClient(threads, time);
        this.metrics = metrics;
        this.table = table;
        this.time = time;
    }

    /**
     * Starts to serve.
     *
     * @param address port 0 for any free port
     * @param table supplies the routes for each request
     * @param time used for timeouts, jitter and waits
     * @throws IOException if the address is not local or the port is in use
     */
    static RetryGateway start(
            InetSocketAddress address, Supplier<RoutingTable> table, GatewayMetrics metrics, Time time)
            throws IOException {
        RetryGateway gateway = new RetryGateway(HttpServer.create(address, BACKLOG), table, metrics, time);
        gateway.server.createContext("/", gateway::handle);
        gateway.server.setExecutor(gateway.threads);
        gateway.server.start();
        return gateway;
    }

    /** The address and actual port it listens on. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Stops at once. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        client.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) { // closing waits for the rest of a body
            if (!places.tryAcquire()) {
                refuse(exchange, OwnAnswer.TOO_MANY, 0);
                return;
            }
            try {
                serve(exchange);
            } catch (RuntimeException e) {
                log.atError().setCause(e).log("Request failed");
                throw e;
            } finally {
                places.release();
            }
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        long began = time.nanoTime();
        String route = "";
        int status = 499; // the client closed the connection
        metrics.began();
        try {
            ReceivedRequest received = ReceivedRequest.of(exchange);
            if (received.length() > LARGEST_BODY) {
                throw new RefusedException(OwnAnswer.TOO_LARGE);
            }
            switch (table.get().find(received.host(), received.head())) {
                case Refuse refuse -> throw new RefusedException(refuse.answer());
                case Forward to -> {
                    route = to.route();
                    status = forward(exchange, new ProxiedExchange(exchange, received, to, client, metrics, time));
                }
            }
        } catch (RefusedException e) {
            status = refuse(exchange, e.answer(), 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the gateway is stopping
        } finally {
            metrics.ended(route, status, Duration.ofNanos(time.nanoTime() - began));
        }
    }

    private static int forward(HttpExchange exchange, ProxiedExchange proxied)
            throws IOException, InterruptedException, RefusedException {
        Result result = proxied.run();
        if (result.own() != null) {
            return refuse(exchange, result.own(), proxied.attempts());
        }
        try (Answer answer = result.answer()) {
            return answer == null ? 0 : send(exchange, answer, proxied.attempts());
        }
    }

    /** Trailers are dropped: the JDK's server and client do not support them. */
    private static int send(HttpExchange exchange, Answer answer, int attempts) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        int status = answer.status();
        Set<String> own = isHead || status == 304 ? Set.of() : Set.of("content-length");
        HopByHop.forward(answer.response().headers().map(), own, headers::add);
        headers.set(ATTEMPTS, Integer.toString(attempts));
        boolean isEmpty =
                isHead || status == 204 || status == 304 || answer.length().orElse(-1) == 0;
        exchange.sendResponseHeaders(status, isEmpty ? -1 : answer.length().orElse(0));
        if (!isEmpty) {
            copy(answer.body(), exchange.getResponseBody());
        }
        return status;
    }

    /** Data is passed on at once; if the response is incomplete, the client's connection is closed too. */
    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] piece = new byte[PIECE];
        for (int length = from.read(piece); length >= 0; length = from.read(piece)) {
            to.write(piece, 0, length);
            if (from.available() == 0) {
                to.flush();
            }
        }
        to.close();
    }

    private static int refuse(HttpExchange exchange, OwnAnswer answer, int attempts) throws IOException {
        byte[] text = (ForeignText.line(answer.text()) + "\n").getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "text/plain; charset=utf-8");
        headers.set(ATTEMPTS, Integer.toString(attempts));
        if (attempts == 0) {
            headers.set("Connection", "close"); // instead of reading a body
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            headers.set("Content-Length", Integer.toString(text.length));
            exchange.sendResponseHeaders(answer.status(), -1);
        } else {
            exchange.sendResponseHeaders(answer.status(), text.length);
            exchange.getResponseBody().write(text);
            exchange.getResponseBody().flush(); // without waiting for the rest of the body
        }
        return answer.status();
    }

    private static void set(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
