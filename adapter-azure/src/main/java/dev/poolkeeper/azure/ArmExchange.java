package dev.poolkeeper.azure;

import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * One HTTP exchange with ARM: a first attempt and the retries that {@link CallRetries} allows. The SDK's own retries
 * are off. Statuses that the updater's retries are for (404, 409, 412, 429) are never retried here.
 *
 * <p>The calling thread waits for the SDK's answer from outside, so that an interrupt and a deadline end any attempt,
 * whatever the SDK is at. Retries begin, are asked and are waited for on the calling thread, as are listener and trace
 * headers; only the SDK's part of an attempt is another thread's, so what a caller bound to its thread holds here.
 * Thread-safe.
 */
final class ArmExchange {

    private static final ArmCall.Outcome REFUSED = ArmCall.Outcome.REFUSED_AT_GATE;
    private static final Failure NO_TIME_LEFT = new Failure.Cancelled("no time left for another attempt");

    private final Gates gates;
    private final CallRetries retries;
    private final ArmCallListener listener;
    private final Pause pause;
    private final LongSupplier nanoTime;
    private final TraceHeaders headers;

    ArmExchange(Gates gates, AzurePoolsBuilder builder) {
        this.gates = gates;
        this.retries = builder.retries;
        this.listener = builder.listener;
        this.pause = builder.pause;
        this.nanoTime = builder.nanoTime;
        this.headers = builder.headers;
    }

    /** What an attempt came to. */
    private record Result<T>(
            Reply<Answered<T>> reply,
            ArmCall.Outcome outcome,
            @Nullable ArmAnswer answer) {

        static <T> Result<T> unanswered(Failure failure, ArmCall.Outcome outcome) {
            return new Result<>(Reply.failed(failure), outcome, null);
        }

        @Nullable
        Integer status() {
            return answer == null ? null : answer.status();
        }

        @Nullable
        String correlationId() {
            return answer == null ? null : answer.correlationId();
        }
    }

    /**
     * Sends the request until there is an answer that is not to be retried.
     *
     * @param call makes the SDK's request, anew for each attempt
     * @return any 2xx answer, whatever the SDK made of it; or why there is none
     */
    <T> Reply<Answered<T>> send(ArmRequest request, Supplier<Mono<T>> call) {
        Optional<Instant> shutUntil = gates.shutUntil(request).filter(request.waitedUntil()::isBefore);
        if (shutUntil.isPresent()) { // asked before a first attempt is paid into the retry budget
            return refuse(request, shutUntil.get());
        }
        CallRetries.Exchange exchange = retries.begin();
        try {
            return send(request, call, exchange);
        } finally {
            exchange.end();
        }
    }

    /** The answer in place of a request that is not sent. */
    <T> Reply<T> refuse(ArmRequest request, Instant shutUntil) {
        listener.attempting(request.purpose(), request.loadBalancer(), 1);
        listener.attempted(
                new ArmCall(request.purpose(), request.loadBalancer(), 1, null, Duration.ZERO, REFUSED, null, null));
        return Reply.failed(Failure.Throttled.atGate(shutUntil));
    }

    private <T> Reply<Answered<T>> send(ArmRequest request, Supplier<Mono<T>> call, CallRetries.Exchange exchange) {
        Reply<Answered<T>> last = Reply.failed(NO_TIME_LEFT);
        for (int number = 1; ; number++) {
            Optional<Duration> limit = exchange.attemptTimeout();
            Duration remaining = request.deadline().remaining();
            if (limit.filter(time -> !time.isPositive()).isPresent() || !remaining.isPositive()) {
                return remaining.isPositive()
                        ? marked(last, CallRetries.Reason.TIMED_OUT)
                        : Reply.failed(givenUp(request));
            }
            Duration timeout =
                    limit.filter(time -> time.compareTo(remaining) < 0).orElse(remaining);
            long began = nanoTime.getAsLong();
            listener.attempting(request.purpose(), request.loadBalancer(), number);
            Result<T> result = attempt(new Attempt(request, headers.ofThisThread()), call, timeout);
            Decision decision = decide(request.purpose(), exchange, result);
            listener.attempted(new ArmCall(
                    request.purpose(),
                    request.loadBalancer(),
                    number,
                    result.status(),
                    Duration.ofNanos(nanoTime.getAsLong() - began),
                    result.outcome(),
                    decision,
                    result.correlationId()));
            if (!(decision instanceof Decision.Retry(Duration delay))) {
                return decision instanceof Decision.GiveUp(CallRetries.Reason reason)
                        ? marked(result.reply(), reason)
                        : result.reply();
            }
            if (delay.compareTo(request.deadline().remaining()) >= 0) {
                return result.reply();
            }
            last = result.reply();
            Optional<Failure> cancelled = waitFor(request.purpose(), delay);
            if (cancelled.isPresent()) {
                return Reply.failed(cancelled.get());
            }
        }
    }

    /** Waits, or tells that the thread was interrupted. */
    Optional<Failure> waitFor(ArmCall.Purpose purpose, Duration delay) {
        if (!delay.isPositive()) {
            return Optional.empty();
        }
        listener.waiting(purpose, delay);
        try {
            pause.pause(delay);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(interrupted());
        }
    }

    private <T> Result<T> attempt(Attempt attempt, Supplier<Mono<T>> call, Duration timeout) {
        if (Thread.currentThread().isInterrupted()) {
            return Result.unanswered(interrupted(), ArmCall.Outcome.CANCELLED);
        }
        CompletableFuture<@Nullable T> future = Mono.defer(call)
                .contextWrite(context -> context.put(Attempt.KEY, attempt))
                .subscribeOn(Schedulers.boundedElastic()) // a credential may block where it is asked
                .toFuture();
        try {
            T value = future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return answered(attempt, value, null);
        } catch (ExecutionException e) {
            return answered(attempt, null, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            future.cancel(true);
            return Result.unanswered(
                    attempt.request().deadline().remaining().isPositive()
                            ? Failure.Other.retriable("no answer from Azure within " + timeout)
                            : givenUp(attempt.request()),
                    ArmCall.Outcome.TIMED_OUT);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            return Result.unanswered(interrupted(), ArmCall.Outcome.CANCELLED);
        }
    }

    private static <T> Result<T> answered(Attempt attempt, @Nullable T value, @Nullable Throwable thrown) {
        if (thrown instanceof GateShutException shut) {
            return Result.unanswered(Failure.Throttled.atGate(shut.shutUntil()), REFUSED);
        }
        ArmAnswer answer = attempt.answer();
        if (answer != null) {
            Reply<Answered<T>> reply = answer.isSuccess()
                    ? Reply.ok(new Answered<>(answer, value, thrown))
                    : Reply.failed(FailureMapping.ofAnswer(answer, attempt.retryAfter()));
            return new Result<>(reply, ArmCall.Outcome.ANSWERED, answer);
        }
        Throwable error = thrown == null ? new IllegalStateException("the SDK sent nothing") : thrown;
        return Result.unanswered(
                FailureMapping.ofThrown(error),
                FailureMapping.isConnectionError(error) ? ArmCall.Outcome.CONNECTION_ERROR : ArmCall.Outcome.FAILED);
    }

    /** What to do after an attempt; null where nothing is to be decided. */
    private static @Nullable Decision decide(ArmCall.Purpose purpose, CallRetries.Exchange exchange, Result<?> result) {
        if (!purpose.isIdempotent()) {
            return null;
        }
        return switch (result.outcome()) {
            case CONNECTION_ERROR, TIMED_OUT -> exchange.afterConnectionError();
            case ANSWERED ->
                result.status() == null || result.status() < 400 || isForTheUpdater(result.status())
                        ? null
                        : exchange.afterStatus(result.status());
            case REFUSED_AT_GATE, CANCELLED, FAILED -> null;
        };
    }

    private static boolean isForTheUpdater(int status) {
        return status == 404 || status == 409 || status == 412 || status == 429;
    }

    /** The failure at hand, marked with what ended its retries. */
    private static <T> Reply<Answered<T>> marked(Reply<Answered<T>> reply, CallRetries.Reason reason) {
        return switch (reply) {
            case Reply.Failed<Answered<T>>(Failure.HttpError error) ->
                Reply.failed(new Failure.HttpError(error.status(), error.error(), reason));
            case Reply.Failed<Answered<T>>(Failure.Other other)
            when other.retriable() -> Reply.failed(Failure.Other.unanswered(other.reason(), reason));
            default -> reply;
        };
    }

    private static Failure givenUp(ArmRequest request) {
        return new Failure.Cancelled("given up after " + request.deadline().length());
    }

    private static Failure interrupted() {
        return new Failure.Cancelled("interrupted");
    }
}
