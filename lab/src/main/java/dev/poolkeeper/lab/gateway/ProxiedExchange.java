package dev.poolkeeper.lab.gateway;

import com.sun.net.httpserver.HttpExchange;
import dev.poolkeeper.lab.gateway.BackendClient.Answer;
import dev.poolkeeper.lab.gateway.Destination.Forward;
import dev.poolkeeper.lab.gateway.ReceivedRequest.RefusedException;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request on its way to a backend, with its retries. Used by one thread. */
final class ProxiedExchange {

    /** Headers that are set by the gateway or its HTTP client. */
    private static final Set<String> OWN = Set.of("host", "content-length", "expect", "via", "x-forwarded-for");

    private final HttpExchange exchange;
    private final ReceivedRequest received;
    private final Forward to;
    private final BackendClient client;
    private final GatewayMetrics metrics;
    private final Time time;
    private int attempts;

    ProxiedExchange(
            HttpExchange exchange,
            ReceivedRequest received,
            Forward to,
            BackendClient client,
            GatewayMetrics metrics,
            Time time) {
        this.exchange = exchange;
        this.received = received;
        this.to = to;
        this.client = client;
        this.metrics = metrics;
        this.time = time;
    }

    /** Either a backend's response or one of ours. */
    record Result(@Nullable Answer answer, @Nullable OwnAnswer own) {

        static Result of(Answer answer) {
            return new Result(answer, null);
        }

        static Result of(OwnAnswer own) {
            return new Result(null, own);
        }
    }

    /** The number of attempts sent. */
    int attempts() {
        return attempts;
    }

    /** Sends the request until there is a response for the client. */
    Result run() throws IOException, InterruptedException, RefusedException {
        RequestBody body = RequestBody.read(exchange.getRequestBody(), received.length());
        HttpRequest request;
        try {
            request = request(body);
        } catch (IllegalArgumentException e) {
            return Result.of(OwnAnswer.bad("a header or the target cannot be forwarded"));
        }
        CallRetries.Exchange retries = to.retries().begin(CallContext.unbound());
        try {
            while (true) {
                Duration limit = retries.attemptTimeout().orElse(Duration.ZERO);
                if (isOver(retries)) {
                    return Result.of(OwnAnswer.NO_TIME);
                }
                Outcome outcome = attempt(request, limit);
                Decision decision = decide(outcome, retries, body.mayRepeat());
                if (!(decision instanceof Decision.Retry(Duration delay))) {
                    return result(outcome, decision);
                }
                outcome.discard();
                metrics.retried(to.route());
                time.sleep(delay);
            }
        } finally {
            retries.end();
        }
    }

    private static boolean isOver(CallRetries.Exchange retries) {
        return retries.attemptTimeout().filter(limit -> !limit.isPositive()).isPresent();
    }

    /** The outcome of an attempt: a response, or a replacement for it. */
    private record Outcome(
            @Nullable Answer answer, @Nullable OwnAnswer failure) {
        void discard() throws IOException {
            if (answer != null) {
                answer.close();
            }
        }
    }

    private Outcome attempt(HttpRequest request, Duration limit) throws InterruptedException {
        attempts++;
        long began = time.nanoTime();
        try {
            Answer answer = client.send(request, limit);
            metrics.attempted(to.route(), answer.status(), since(began));
            return new Outcome(answer, null);
        } catch (HttpTimeoutException e) {
            metrics.attemptFailed(to.route(), "timeout", since(began));
            return new Outcome(null, OwnAnswer.NO_ANSWER);
        } catch (IOException e) {
            metrics.attemptFailed(to.route(), "connection", since(began));
            return new Outcome(null, failure(e));
        }
    }

    private static OwnAnswer failure(IOException e) {
        if (e instanceof ConnectException) {
            return OwnAnswer.NO_CONNECTION;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProtocolException) {
                return OwnAnswer.BAD_ANSWER;
            }
        }
        return OwnAnswer.LOST_CONNECTION;
    }

    private Duration since(long began) {
        return Duration.ofNanos(time.nanoTime() - began);
    }

    private Decision decide(Outcome outcome, CallRetries.Exchange retries, boolean mayRepeat) {
        if (outcome.answer() != null && !to.policy().retries(outcome.answer().status()) || !mayRepeat) {
            return new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }
        return outcome.answer() == null
                ? retries.afterConnectionError()
                : retries.afterStatus(outcome.answer().status());
    }

    private Result result(Outcome outcome, Decision decision) throws IOException {
        Reason reason = decision instanceof Decision.GiveUp(Reason why) ? why : Reason.NOT_RETRIABLE;
        OwnAnswer instead = switch (reason) {
            case TIMED_OUT -> OwnAnswer.NO_TIME;
            case BUDGET_REFUSED -> to.isOverBudgetRefused() ? OwnAnswer.OVER_BUDGET : null;
            case NOT_RETRIABLE, ATTEMPTS_EXHAUSTED -> null;
        };
        if (instead != null) {
            outcome.discard();
            return Result.of(instead);
        }
        return new Result(outcome.answer(), outcome.failure());
    }

    private HttpRequest request(RequestBody body) {
        String query = received.head().query();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://"
                        + to.backend().authority() + received.head().path() + (query.isEmpty() ? "" : "?" + query)))
                .method(received.head().method(), body.publisher());
        HopByHop.forward(exchange.getRequestHeaders(), OWN, request::header);
        if (!received.authority().isEmpty()) {
            request.setHeader("Host", received.authority());
        }
        request.setHeader("Via", joined("via", exchange.getProtocol().substring("HTTP/".length()) + " poolkeeper"));
        request.setHeader(
                "X-Forwarded-For",
                joined(
                        "x-forwarded-for",
                        exchange.getRemoteAddress().getAddress().getHostAddress()));
        return request.build();
    }

    private String joined(String name, String own) {
        String before = received.head().headers().get(name);
        return before == null ? own : before + ", " + own;
    }
}
