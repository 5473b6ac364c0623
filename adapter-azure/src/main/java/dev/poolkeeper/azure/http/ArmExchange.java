package dev.poolkeeper.azure.http;

import dev.poolkeeper.azure.http.ArmSender.Sent;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * HTTP exchanges with ARM: each is a first attempt and the retries that {@link CallRetries} allows. The SDK's own
 * retries are off. Statuses that are retried across ticks (404, 409, 412, 429) are never retried here.
 *
 * <p>Retries, waits and calls to {@link CallRetries} and {@link ArmCallListener} happen on the calling thread; only the
 * SDK's part of an attempt runs elsewhere. No exception escapes; an interrupt ends any call with
 * {@link Failure.Cancelled}, and the interrupt status is kept. Thread-safe.
 */
public final class ArmExchange {

    private static final Failure NO_TIME_LEFT = new Failure.Cancelled("no time left for another attempt");

    private final Gates gates;
    private final RemainingQuota quota;
    private final ArmSender sender;
    private final CallRetries retries;
    private final ArmCallListener listener;
    private final Time time;
    private final InstantSource clock;
    private final Scheduler scheduler;

    /**
     * @param retries decides about retries inside a call
     * @param listener observes every attempt and wait
     * @param time for deadlines and waits
     * @param clock for gates
     * @param scheduler runs the SDK's part of an attempt; a credential may block there
     */
    public ArmExchange(
            ArmConnection connection,
            CallRetries retries,
            ArmCallListener listener,
            Time time,
            InstantSource clock,
            Scheduler scheduler) {
        this.gates = new Gates(clock, connection.readLimit(), connection.writeLimit());
        this.quota = new RemainingQuota(clock, gates::updatesShutUntil);
        this.sender = new ArmSender(new ArmPipeline(connection, gates), gates, quota, time, scheduler);
        this.retries = retries;
        this.listener = listener;
        this.time = time;
        this.clock = clock;
        this.scheduler = scheduler;
    }

    /** The deadline of a call that starts now. */
    public Deadline deadline(Duration length) {
        return new Deadline(time, length);
    }

    /** Sends a request. Returns the 2xx response, or the failure. */
    public Reply<ArmAnswer> send(ArmRequest request) {
        return send(request, answer -> Optional.empty());
    }

    /**
     * As above.
     *
     * @param refusals the request-specific failure for an error response; called on any thread
     */
    public Reply<ArmAnswer> send(ArmRequest request, Function<ArmAnswer, Optional<Failure>> refusals) {
        return send(request, new WholeReader(refusals));
    }

    /** Reads one page of a list. */
    <R> Reply<PageReader.Page<R>> page(ArmRequest request, String what, ArmPages.ElementReader<R> elements) {
        return send(request, new PageReader<>(what, elements, scheduler));
    }

    private <T> Reply<T> send(ArmRequest request, AnswerReader<T> reader) {
        if (request.isFenced()) {
            return Reply.failed(Failure.Cancelled.atFence());
        }
        Optional<Instant> shutUntil = gates.shutUntil(request).filter(request.waitedUntil()::isBefore);
        if (shutUntil.isPresent()) { // before a first attempt is deposited in the retry budget
            return refuse(request, shutUntil.get());
        }
        CallRetries.Exchange exchange = retries.begin(request.context(), request.head());
        try {
            return send(request, reader, exchange);
        } finally {
            exchange.end();
        }
    }

    /** The reply to a request that is not sent. */
    public <T> Reply<T> refuse(ArmRequest request, Instant shutUntil) {
        Sent<T> refused = Sent.unanswered(Failure.Throttled.atGate(shutUntil), ArmCall.Outcome.REFUSED_AT_GATE);
        ArmAttempt attempt = new ArmAttempt(request.purpose(), request.loadBalancer(), 1, request.context());
        listener.attempting(attempt).ended(ended(attempt, refused, Duration.ZERO, null));
        return refused.reply();
    }

    /** Until when a write to this load balancer would be refused. Takes no token. */
    public Optional<Instant> writesShutUntil(ArmName loadBalancer) {
        return gates.writesShutUntil(loadBalancer);
    }

    /** The gates that are currently closed. Takes no token. */
    public GateStatus gates() {
        return gates.status();
    }

    /** The remaining ARM quota, as last reported in its responses. */
    public RemainingQuota quota() {
        return quota;
    }

    private <T> Reply<T> send(ArmRequest request, AnswerReader<T> reader, CallRetries.Exchange exchange) {
        Reply<T> last = Reply.failed(NO_TIME_LEFT);
        for (int number = 1; ; number++) {
            Duration remaining = request.deadline().remaining();
            if (!remaining.isPositive()) {
                return Reply.failed(request.deadline().passed());
            }
            Duration limit = exchange.attemptTimeout().orElse(remaining);
            if (!limit.isPositive()) {
                return marked(last, CallRetries.Reason.TIMED_OUT);
            }
            ArmAttempt attempt = new ArmAttempt(request.purpose(), request.loadBalancer(), number, request.context());
            ArmCallListener.Observation observation = listener.attempting(attempt);
            long began = time.nanoTime();
            Sent<T> sent = sender.send(
                    request, reader, TraceHeaders.of(observation), limit.compareTo(remaining) < 0 ? limit : remaining);
            Decision decision = decide(exchange, sent);
            observation.ended(ended(attempt, sent, Duration.ofNanos(time.nanoTime() - began), decision));
            if (!(decision instanceof Decision.Retry(Duration delay))) {
                return decision instanceof Decision.GiveUp(CallRetries.Reason reason)
                        ? marked(sent.reply(), reason)
                        : sent.reply();
            }
            if (delay.compareTo(request.deadline().remaining()) >= 0) {
                return marked(sent.reply(), CallRetries.Reason.TIMED_OUT);
            }
            last = sent.reply();
            Optional<Failure> cancelled = waitFor(request.purpose(), delay);
            if (cancelled.isPresent()) {
                return Reply.failed(cancelled.get());
            }
            if (!request.context().term().isCurrent()) { // it may have ended during the wait
                return fenced(last);
            }
        }
    }

    private static ArmCall ended(ArmAttempt attempt, Sent<?> sent, Duration duration, @Nullable Decision decision) {
        ArmAnswer answer = sent.answer();
        return new ArmCall(
                attempt.purpose(),
                attempt.loadBalancer(),
                attempt.number(),
                answer == null ? null : answer.status(),
                duration,
                sent.outcome(),
                decision,
                answer == null ? null : answer.correlationId());
    }

    /** Waits, or returns the failure that ended the wait. */
    public Optional<Failure> waitFor(ArmCall.Purpose purpose, Duration delay) {
        if (!delay.isPositive()) {
            return Optional.empty();
        }
        listener.waiting(purpose, delay);
        try {
            time.sleep(delay);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(new Failure.Cancelled("interrupted"));
        }
    }

    /** The decision after an attempt; null if none is needed. */
    private @Nullable Decision decide(CallRetries.Exchange exchange, Sent<?> sent) {
        ArmAnswer answer = sent.answer();
        if (answer != null) {
            return answer.status() < 400 || isRetriedAcrossTicks(answer.status())
                    ? null
                    : exchange.afterStatus(answer.status(), wait(answer));
        }
        return switch (sent.outcome()) {
            case CONNECTION_ERROR, TIMED_OUT -> exchange.afterConnectionError();
            case ANSWERED, REFUSED_AT_GATE, CANCELLED, FAILED -> null;
        };
    }

    /** How long a response asks to wait. Closes no gate, because this does not concern other requests. */
    private Duration wait(ArmAnswer answer) {
        Instant now = clock.instant();
        return answer.retryAfter(now).map(at -> Duration.between(now, at)).orElse(Duration.ZERO);
    }

    private static boolean isRetriedAcrossTicks(int status) {
        return status == 404 || status == 409 || status == 412 || status == 429;
    }

    private static <T> Reply<T> fenced(Reply<T> reply) {
        return reply instanceof Reply.Failed<T>(Failure failure)
                ? Reply.failed(Failure.Cancelled.atFence(failure))
                : reply;
    }

    /** The reply with the reason why retries ended. */
    private static <T> Reply<T> marked(Reply<T> reply, CallRetries.Reason reason) {
        if (reason == CallRetries.Reason.FENCED) {
            return fenced(reply);
        }
        return switch (reply) {
            case Reply.Failed<T>(Failure.HttpError error) ->
                Reply.failed(new Failure.HttpError(error.status(), error.error(), reason));
            case Reply.Failed<T>(Failure.Other other)
            when other.retriable() -> Reply.failed(Failure.Other.unanswered(other.reason(), reason));
            default -> reply;
        };
    }
}
