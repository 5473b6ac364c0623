package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.BackendClient.Attempt;
import dev.poolkeeper.lab.gateway.Destination.Forward;
import dev.poolkeeper.lab.gateway.Destination.Refuse;
import dev.poolkeeper.lab.gateway.MessageHead.Field;
import dev.poolkeeper.lab.gateway.ProxiedExchange.Result;
import dev.poolkeeper.lab.gateway.ReceivedRequest.RefusedException;
import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
public final class RetryGateway implements AutoCloseable, ClientConnections.Handler {

    private static final Logger log = LoggerFactory.getLogger(RetryGateway.class);
    private static final int MOST_IN_PROGRESS = 4_096;
    private static final String ATTEMPTS = "x-poolkeeper-attempts";

    private static final Map<Integer, String> REASONS = Map.of(
            400, "Bad Request",
            404, "Not Found",
            413, "Content Too Large",
            414, "URI Too Long",
            500, "Internal Server Error",
            501, "Not Implemented",
            502, "Bad Gateway",
            503, "Service Unavailable",
            504, "Gateway Timeout");

    private final ClientConnections clients;
    private final ExecutorService threads;
    private final BackendClient client;
    private final GatewayMetrics metrics;
    private final Supplier<RoutingTable> table;
    private final Time time;
    private final Semaphore places = new Semaphore(MOST_IN_PROGRESS);

    private RetryGateway(InetSocketAddress address, Supplier<RoutingTable> table, GatewayMetrics metrics, Time time)
            throws IOException {
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("gateway-", 0).factory());
        this.client = new BackendClient(threads, time);
        this.metrics = metrics;
        this.table = table;
        this.time = time;
        this.clients = new ClientConnections(address, threads, this, time);
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
        return new RetryGateway(address, table, metrics, time);
    }

    /** The address and actual port it listens on. */
    public InetSocketAddress address() {
        return clients.address();
    }

    /** Stops at once. */
    @Override
    public void close() {
        clients.close();
        threads.shutdownNow();
        client.close();
    }

    @Override
    public void handle(ClientExchange exchange) throws IOException {
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

    @Override
    public void refuse(ClientExchange exchange, OwnAnswer answer) throws IOException {
        refuse(exchange, answer, 0);
    }

    /** The number of requests that may begin now. */
    int places() {
        return places.availablePermits();
    }

    /** The number of connections to backends. */
    int connections() {
        return client.connections();
    }

    private void serve(ClientExchange exchange) throws IOException {
        long began = time.nanoTime();
        String route = "";
        int status = 499; // the client closed the connection
        metrics.began();
        try {
            ReceivedRequest received = ReceivedRequest.of(exchange);
            if (received.length() > RequestBody.LARGEST) {
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

    private static int forward(ClientExchange exchange, ProxiedExchange proxied)
            throws IOException, InterruptedException, RefusedException {
        Result result = proxied.run();
        if (result.own() != null) {
            return refuse(exchange, result.own(), proxied.attempts());
        }
        try (Attempt answer = result.answer()) {
            return answer == null ? 0 : send(exchange, answer, proxied.attempts());
        }
    }

    /** Trailers are dropped. */
    private static int send(ClientExchange exchange, Attempt attempt, int attempts) throws IOException {
        BackendAnswer answer = attempt.answer();
        int status = answer.status();
        boolean isHead = exchange.method().equals("HEAD");
        Set<String> own = isHead || status == 304 ? Set.of(ATTEMPTS) : Set.of(ATTEMPTS, "content-length");
        List<Field> fields = new ArrayList<>(HopByHop.without(answer.fields(), own));
        fields.add(new Field(ATTEMPTS, Integer.toString(attempts)));
        if (isHead || status == 204 || status == 304) {
            exchange.send(status, answer.reason(), fields);
        } else {
            exchange.send(status, answer.reason(), fields, attempt.body(), answer.length());
        }
        return status;
    }

    private static int refuse(ClientExchange exchange, OwnAnswer answer, int attempts) throws IOException {
        byte[] text = (ForeignText.line(answer.text()) + "\n").getBytes(StandardCharsets.UTF_8);
        List<Field> fields = new ArrayList<>(List.of(
                new Field("Content-Type", "text/plain; charset=utf-8"),
                new Field(ATTEMPTS, Integer.toString(attempts))));
        if (attempts == 0) {
            fields.add(new Field("Connection", "close")); // instead of reading a body
        }
        String reason = REASONS.getOrDefault(answer.status(), "");
        if (exchange.method().equals("HEAD")) {
            fields.add(new Field("Content-Length", Integer.toString(text.length)));
            exchange.send(answer.status(), reason, fields);
        } else {
            exchange.send(answer.status(), reason, fields, new ByteArrayInputStream(text), text.length);
        }
        return answer.status();
    }
}
