package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpResponse;
import dev.poolkeeper.azure.http.AnswerReader.Received;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Makes one attempt at a request. The calling thread waits for the SDK, so that interrupts and timeouts end any attempt
 * regardless of what the SDK is doing. Thread-safe.
 */
final class ArmSender {

    /** Reactor's key for the handler of errors after termination; without it, Reactor logs a stack trace. */
    private static final String ON_ERROR_DROPPED = "reactor.onErrorDropped.local";

    /** Ignores the outcome of an abandoned attempt, whose failure has already been reported. */
    private static final Consumer<Throwable> FORGET = late -> {};

    private final ArmPipeline pipeline;
    private final Gates gates;
    private final RemainingQuota quota;
    private final Time time;
    private final Scheduler scheduler;

    /** @param scheduler runs the SDK's part of an attempt, where a credential may block */
    ArmSender(ArmPipeline pipeline, Gates gates, RemainingQuota quota, Time time, Scheduler scheduler) {
        this.pipeline = pipeline;
        this.gates = gates;
        this.quota = quota;
        this.time = time;
        this.scheduler = scheduler;
    }

    /**
     * The result of an attempt.
     *
     * @param answer null if there was no response
     */
    record Sent<T>(
            Reply<T> reply,
            ArmCall.Outcome outcome,
            @Nullable ArmAnswer answer) {

        static <T> Sent<T> unanswered(Failure failure, ArmCall.Outcome outcome) {
            return new Sent<>(Reply.failed(failure), outcome, null);
        }
    }

    <T> Sent<T> send(ArmRequest request, AnswerReader<T> reader, Map<String, String> traceHeaders, Duration timeout) {
        if (Thread.currentThread().isInterrupted()) {
            return interrupted();
        }
        CompletableFuture<@Nullable Received<T>> future = Mono.defer(
                        () -> pipeline.send(request, traceHeaders, reader.limit()))
                .flatMap(response -> receive(request, reader, response))
                .subscribeOn(scheduler)
                .contextWrite(context -> context.put(ON_ERROR_DROPPED, FORGET))
                .toFuture();
        try {
            return received(time.await(future, timeout));
        } catch (ExecutionException e) {
            return thrown(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            future.cancel(true);
            return Sent.unanswered(unansweredWithin(timeout, request.deadline()), ArmCall.Outcome.TIMED_OUT);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            return interrupted();
        }
    }

    private <T> Mono<Received<T>> receive(ArmRequest request, AnswerReader<T> reader, HttpResponse response) {
        quota.answered(response.getHeaders());
        boolean isSuccess = response.getStatusCode() >= 200 && response.getStatusCode() < 300;
        return isSuccess
                ? reader.read(response)
                : AnswerReader.whole(response)
                        .map(answer -> new Received<>(
                                answer,
                                Reply.failed(reader.refusal(answer).orElseGet(() -> failure(request, answer)))));
    }

    private Failure failure(ArmRequest request, ArmAnswer answer) {
        return FailureMapping.ofAnswer(answer, answer.status() == 429 ? gates.throttled(request, answer) : null);
    }

    private static <T> Sent<T> received(@Nullable Received<T> received) {
        return received == null
                ? thrown(new IllegalStateException("the SDK sent nothing"))
                : new Sent<>(received.reply(), ArmCall.Outcome.ANSWERED, received.answer());
    }

    private static <T> Sent<T> thrown(Throwable thrown) {
        if (thrown instanceof GateShutException shut) {
            return Sent.unanswered(Failure.Throttled.atGate(shut.shutUntil()), ArmCall.Outcome.REFUSED_AT_GATE);
        }
        if (thrown instanceof FencedException) {
            return Sent.unanswered(Failure.Cancelled.atFence(), ArmCall.Outcome.CANCELLED);
        }
        return Sent.unanswered(
                FailureMapping.ofThrown(thrown),
                FailureMapping.isConnectionError(thrown) ? ArmCall.Outcome.CONNECTION_ERROR : ArmCall.Outcome.FAILED);
    }

    private static Failure unansweredWithin(Duration timeout, Deadline deadline) {
        return deadline.remaining().isPositive()
                ? Failure.Other.retriable("no response from Azure within " + DurationText.of(timeout))
                : deadline.passed();
    }

    private static <T> Sent<T> interrupted() {
        return Sent.unanswered(new Failure.Cancelled("interrupted"), ArmCall.Outcome.CANCELLED);
    }
}
