package dev.poolkeeper.emulators.arm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.poolkeeper.emulators.arm.ArmService.Served;
import dev.poolkeeper.fake.cloud.HttpsFault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** From the socket to the service and back, with what faults do to the way back. */
final class HttpFront implements HttpHandler {

    private static final System.Logger LOG = System.getLogger(HttpFront.class.getName());

    private static final int LARGEST_BODY = 16 << 20;

    private static final List<String> REQUEST_HEADERS = List.of(
            "host", "if-match", "if-none-match", "user-agent", "x-ms-client-request-id", "traceparent", "tracestate");
    private static final List<String> ANSWER_HEADERS = List.of("etag", "retry-after", "x-ms-correlation-request-id");

    private final ArmService service;
    private final RequestLog log;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Waiting waiting;
    private final String base;

    /** Holds an answer back. */
    interface Waiting {
        void await(Duration delay) throws InterruptedException;
    }

    HttpFront(
            ArmService service,
            RequestLog log,
            InstantSource clock,
            LongSupplier nanoTime,
            Waiting waiting,
            String base) {
        this.service = service;
        this.log = log;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.waiting = waiting;
        this.base = base;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        long began = nanoTime.getAsLong();
        Instant at = clock.instant();
        try (exchange) {
            Served served = serve(exchange);
            HttpsFault fault =
                    served.rule() == null ? HttpsFault.NONE : served.rule().https();
            if (fault.delay().isPositive()) {
                waiting.await(fault.delay());
            }
            AnswerHeaders.set(exchange, served.handled().answer(), service);
            // before it is sent: who has the answer finds it in the log
            log(request(exchange, at, served, fault, nanoTime.getAsLong() - began));
            if (fault.drop() == null) { // closing the exchange without an answer closes the connection
                send(exchange, served.handled().answer(), fault);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the emulator is being stopped
        }
    }

    private Served serve(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            exchange.getResponseHeaders().set("Connection", "close"); // rather than reading the rest
            return new Served(
                    Handled.of(Errors.gateway(
                            413,
                            "RequestContentTooLarge",
                            "The request content size exceeds the maximum size of 16 MB.")),
                    Subject.NONE,
                    null);
        }
        ArmCall call = new ArmCall(
                exchange.getRequestMethod().toUpperCase(Locale.ROOT),
                exchange.getRequestURI().getRawPath(),
                Query.parse(exchange.getRequestURI().getRawQuery()),
                exchange.getRequestHeaders()::getFirst,
                body,
                Query.base(exchange.getRequestHeaders().getFirst("Host"), base));
        try {
            return service.serve(call);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the emulator failed on " + call.method() + " " + call.rawPath(), e);
            return new Served(
                    Handled.of(Errors.error(500, "InternalServerError", "Encountered internal server error.")),
                    Subject.NONE,
                    null);
        }
    }

    private static void send(HttpExchange exchange, ArmAnswer answer, HttpsFault fault) throws IOException {
        byte[] body = answer.body() == null ? new byte[0] : Json.bytes(answer.body());
        BodyFaults.Sent sent = BodyFaults.apply(fault.body(), body);
        if (sent.contentType() != null) {
            exchange.getResponseHeaders().set("Content-Type", sent.contentType());
        }
        boolean noBody = answer.status() == 204
                || sent.announced() == 0
                || exchange.getRequestMethod().equals("HEAD");
        if (answer.status() != 204 && noBody) {
            exchange.getResponseHeaders().set("Content-Length", "0");
        }
        exchange.sendResponseHeaders(answer.status(), noBody ? -1 : sent.announced());
        if (!noBody) {
            exchange.getResponseBody().write(sent.bytes());
            exchange.getResponseBody().flush();
        }
    }

    private void log(ArmRequest request) {
        ArmSettings settings = service.state().settings;
        log.add(request, settings.requestLogSize);
        settings.onRequest.accept(request);
    }

    private static ArmRequest request(HttpExchange exchange, Instant at, Served served, HttpsFault fault, long nanos) {
        Map<String, String> headers = new HashMap<>();
        for (String name : REQUEST_HEADERS) {
            keep(headers, name, exchange.getRequestHeaders().getFirst(name));
        }
        for (String name : ANSWER_HEADERS) {
            keep(headers, name, exchange.getResponseHeaders().getFirst(name));
        }
        return new ArmRequest(
                at,
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                served.subject().loadBalancer(),
                served.subject().pool(),
                fault.drop() == null ? served.handled().answer().status() : 0,
                headers,
                served.subject().operation(),
                Duration.ofNanos(nanos));
    }

    private static void keep(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }
}
