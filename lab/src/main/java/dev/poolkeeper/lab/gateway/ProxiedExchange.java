package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.BackendClient.Attempt;
import dev.poolkeeper.lab.gateway.Destination.Forward;
import dev.poolkeeper.lab.gateway.MessageHead.Field;
import dev.poolkeeper.lab.gateway.ReceivedRequest.RefusedException;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.RequestHead;
import dev.poolkeeper.ports.retry.RetryAfter;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request on its way to a backend, with its retries. Used by one thread. */
final class ProxiedExchange {

    /** Headers that are set by the gateway or its HTTP client. */
    private static final Set<String> OWN = Set.of("host", "content-length", "expect", "via", "x-forwarded-for");

    /** A client whose backend asks for more time than this gets the backend's response. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final ClientExchange exchange;
    private final ReceivedRequest received;
    private final Forward to;
    private final BackendClient client;
    private final GatewayMetrics metrics;
    private final Time time;
    private int attempts;

    ProxiedExchange(
            ClientExchange exchange,
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
    record Result(@Nullable Attempt answer, @Nullable OwnAnswer own) {

        static Result of(Attempt answer) {
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
        RequestBody body = RequestBody.read(exchange.body(received.length()), received.length());
        byte[] head = head(body);
        CallRetries.Exchange retries = to.retries().begin(CallContext.unbound());
        try {
            while (true) {
                Duration limit = retries.attemptTimeout().orElse(Duration.ZERO);
                if (isOver(retries)) {
                    return Result.of(OwnAnswer.NO_TIME);
                }
                Outcome outcome = attempt(head, body, limit);
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
            @Nullable Attempt answer, @Nullable OwnAnswer failure) {
        void discard() {
            if (answer != null) {
                answer.close();
            }
        }
    }

    private Outcome attempt(byte[] head, RequestBody body, Duration limit) {
        attempts++;
        long began = time.nanoTime();
        try {
            Attempt answer =
                    client.send(to.backend().authority(), received.head().method(), head, body, limit);
            metrics.attempted(to.route(), answer.answer().status(), since(began));
            return new Outcome(answer, null);
        } catch (HttpTimeoutException e) {
            metrics.attemptFailed(to.route(), "timeout", since(began));
            return new Outcome(null, OwnAnswer.NO_ANSWER);
        } catch (IOException e) {
            metrics.attemptFailed(to.route(), "connection", since(began));
            return new Outcome(null, body.fault().orElseGet(() -> failure(e)));
        }
    }

    private static OwnAnswer failure(IOException e) {
        if (e instanceof ConnectException) {
            return OwnAnswer.NO_CONNECTION;
        }
        return e instanceof ProtocolException ? OwnAnswer.BAD_ANSWER : OwnAnswer.LOST_CONNECTION;
    }

    private Duration since(long began) {
        return Duration.ofNanos(time.nanoTime() - began);
    }

    /** A response that is not valid HTTP was one: the backend has done its work, and may do it twice. */
    private Decision decide(Outcome outcome, CallRetries.Exchange retries, boolean mayRepeat) {
        if (!mayRepeat || OwnAnswer.BAD_ANSWER.equals(outcome.failure())) {
            return new Decision.GiveUp(Reason.NOT_RETRIABLE);
        }
        if (outcome.answer() == null) {
            return retries.afterConnectionError();
        }
        int status = outcome.answer().answer().status();
        Duration retryAfter =
                RetryAfter.parse(retryAfter(outcome.answer()), time.instant()) instanceof RetryAfter.At(Instant at)
                        ? Duration.between(time.instant(), at)
                        : Duration.ZERO;
        return !to.policy().retries(status) || retryAfter.compareTo(LONGEST_WAIT) > 0
                ? new Decision.GiveUp(Reason.NOT_RETRIABLE)
                : retries.afterStatus(status, retryAfter);
    }

    private static @Nullable String retryAfter(Attempt answer) {
        return answer.answer().fields().stream()
                .filter(field -> field.is("Retry-After"))
                .map(Field::value)
                .findFirst()
                .orElse(null);
    }

    private Result result(Outcome outcome, Decision decision) {
        Reason reason = decision instanceof Decision.GiveUp(Reason why) ? why : Reason.NOT_RETRIABLE;
        OwnAnswer instead = switch (reason) {
            case TIMED_OUT -> OwnAnswer.NO_TIME;
            case BUDGET_REFUSED -> to.isOverBudgetRefused() ? OwnAnswer.OVER_BUDGET : null;
            case NOT_RETRIABLE, ATTEMPTS_EXHAUSTED, FENCED -> null;
        };
        if (instead != null) {
            outcome.discard();
            return Result.of(instead);
        }
        return new Result(outcome.answer(), outcome.failure());
    }

    private byte[] head(RequestBody body) {
        RequestHead head = received.head();
        List<Field> fields = new ArrayList<>();
        fields.add(
                new Field("Host", received.authority().isEmpty() ? to.backend().authority() : received.authority()));
        fields.addAll(HopByHop.without(exchange.head().fields(), OWN));
        fields.add(new Field("Via", joined("via", exchange.protocol().substring("HTTP/".length()) + " poolkeeper")));
        fields.add(new Field(
                "X-Forwarded-For", joined("x-forwarded-for", exchange.client().getHostAddress())));
        body.framing(head.method()).ifPresent(fields::add);
        String target = head.path() + (head.query().isEmpty() ? "" : "?" + head.query());
        return MessageHead.bytes(head.method() + " " + target + " HTTP/1.1", fields);
    }

    private String joined(String name, String own) {
        String before = received.head().headers().get(name);
        return before == null ? own : before + ", " + own;
    }
}
