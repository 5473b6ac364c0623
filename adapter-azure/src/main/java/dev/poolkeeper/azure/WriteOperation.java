package dev.poolkeeper.azure;

import com.azure.json.JsonProviders;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Follows a write that ARM accepted to its end. A poll that is refused for too many requests, by ARM or at the gate,
 * waits and goes on. Once a write is accepted, a failure that leaves its outcome unknown is retriable: the next tick's
 * fresh read settles it. Used by one thread.
 */
final class WriteOperation {

    private final ArmClient client;
    private final ArmExchange exchange;
    private final InstantSource clock;
    private final PollSettings polls;
    private final PoolKey key;
    private final Deadline deadline;

    private OperationState.Place place = OperationState.Place.RESOURCE;
    private String address = "";
    private Duration waited = Duration.ZERO;
    private Instant waitedUntil = Instant.MIN;

    WriteOperation(
            ArmClient client,
            ArmExchange exchange,
            InstantSource clock,
            PollSettings polls,
            PoolKey key,
            Deadline deadline) {
        this.client = client;
        this.exchange = exchange;
        this.clock = clock;
        this.polls = polls;
        this.key = key;
        this.deadline = deadline;
    }

    /** The pool once it is written, or why it is not. */
    Reply<BackendPool> follow(ArmAnswer accepted) {
        try {
            OperationState state = accepted.status() == 202 && accepted.body().length == 0
                    ? new OperationState.Running()
                    : OperationState.ofResource(accepted);
            if (state instanceof OperationState.Succeeded && accepted.status() != 202) {
                return finished(accepted);
            }
        } catch (UnfitAnswerException e) {
            return Reply.failed(unknown("the answer to the write is unfit: " + e.reason()));
        }
        choosePlace(accepted);
        return poll(accepted);
    }

    /** Most writes that change nothing end at once, and their answer is the pool. */
    private Reply<BackendPool> finished(ArmAnswer accepted) {
        try {
            BackendAddressPoolInner model =
                    BackendAddressPoolInner.fromJson(JsonProviders.createReader(accepted.body()));
            return Reply.ok(PoolReader.read(key, new Answered<>(accepted, model, null)));
        } catch (UnfitAnswerException e) {
            return Reply.failed(unknown("the answer to the write is unfit: " + e.reason()));
        } catch (IOException | RuntimeException e) {
            return Reply.failed(unknown("the answer to the write is unfit: " + FailureMapping.misunderstood(e)));
        }
    }

    private void choosePlace(ArmAnswer accepted) {
        String document = accepted.header("Azure-AsyncOperation");
        String location = accepted.header("Location");
        if (document != null && client.isTrusted(document)) {
            place = OperationState.Place.DOCUMENT;
            address = document;
        } else if (accepted.status() == 202 && location != null && client.isTrusted(location)) {
            place = OperationState.Place.LOCATION;
            address = location;
        }
    }

    private Reply<BackendPool> poll(ArmAnswer accepted) {
        Duration wait = waitAfter(accepted, Duration.ZERO);
        while (true) {
            Optional<Failure> cancelled = await(wait);
            if (cancelled.isPresent()) {
                return Reply.failed(cancelled.get());
            }
            switch (place == OperationState.Place.RESOURCE ? answer(get()) : answer(send(() -> client.poll(address)))) {
                case Reply.Failed<ArmAnswer>(Failure.Throttled throttled) -> wait = waitFor(throttled);
                case Reply.Failed<ArmAnswer>(Failure failure) -> {
                    return Reply.failed(ofPoll(failure));
                }
                case Reply.Ok<ArmAnswer>(ArmAnswer answer) -> {
                    OperationState state;
                    try {
                        state = state(answer);
                    } catch (UnfitAnswerException e) {
                        return Reply.failed(unknown("the operation's state is unfit: " + e.reason()));
                    }
                    if (state instanceof OperationState.Ended(Failure failure)) {
                        return Reply.failed(failure);
                    }
                    if (state instanceof OperationState.Succeeded) {
                        return result();
                    }
                    wait = waitAfter(answer, polls.after(waited));
                }
            }
        }
    }

    private static <T> Reply<ArmAnswer> answer(Reply<Answered<T>> reply) {
        return switch (reply) {
            case Reply.Ok<Answered<T>>(Answered<T> answered) -> Reply.ok(answered.answer());
            case Reply.Failed<Answered<T>>(Failure failure) -> Reply.failed(failure);
        };
    }

    private OperationState state(ArmAnswer answer) throws UnfitAnswerException {
        String moved = answer.header("Location");
        if (place == OperationState.Place.LOCATION
                && answer.status() == 202
                && moved != null
                && client.isTrusted(moved)) {
            address = moved;
        }
        return switch (place) {
            case DOCUMENT -> OperationState.ofDocument(answer);
            case LOCATION -> OperationState.ofLocation(answer);
            case RESOURCE -> OperationState.ofResource(answer);
        };
    }

    /** The pool as it is after the operation. */
    private Reply<BackendPool> result() {
        while (true) {
            switch (get()) {
                case Reply.Failed<Answered<BackendAddressPoolInner>>(Failure.Throttled throttled) -> {
                    Optional<Failure> cancelled = await(waitFor(throttled));
                    if (cancelled.isPresent()) {
                        return Reply.failed(cancelled.get());
                    }
                }
                case Reply.Failed<Answered<BackendAddressPoolInner>>(Failure failure) -> {
                    return Reply.failed(ofPoll(failure));
                }
                case Reply.Ok<Answered<BackendAddressPoolInner>>(Answered<BackendAddressPoolInner> answered) -> {
                    try {
                        return Reply.ok(PoolReader.read(key, answered));
                    } catch (UnfitAnswerException e) {
                        return Reply.failed(unknown("the pool read after the write is unfit: " + e.reason()));
                    }
                }
            }
        }
    }

    private Reply<Answered<BackendAddressPoolInner>> get() {
        return send(() -> client.get(key));
    }

    private <T> Reply<Answered<T>> send(Supplier<Mono<T>> call) {
        return exchange.send(
                ArmRequest.of(ArmCall.Purpose.POLL, key.loadBalancer(), deadline)
                        .havingWaitedUntil(waitedUntil),
                call);
    }

    /** How long ARM wants to be left alone; where it does not say, or says no time at all, the given interval. */
    private Duration waitAfter(ArmAnswer answer, Duration otherwise) {
        Instant now = clock.instant();
        return RetryAfter.parse(answer.header("Retry-After"), now) instanceof RetryAfter.At(Instant at)
                        && at.isAfter(now)
                ? Duration.between(now, at)
                : otherwise;
    }

    private Duration waitFor(Failure.Throttled throttled) {
        Instant retryAfter = throttled.retryAfter();
        Duration wait = retryAfter == null ? Duration.ZERO : Duration.between(clock.instant(), retryAfter);
        if (!wait.isPositive()) {
            return polls.after(waited);
        }
        waitedUntil = retryAfter == null ? waitedUntil : retryAfter;
        return wait;
    }

    /** Waits, unless the deadline would pass meanwhile: then waiting is of no use. */
    private Optional<Failure> await(Duration wait) {
        if (wait.compareTo(deadline.remaining()) >= 0) {
            return Optional.of(new Failure.Cancelled(
                    "the write was accepted and still runs, given up after %s".formatted(deadline.length())));
        }
        waited = waited.plus(wait);
        return exchange.waitFor(ArmCall.Purpose.POLL, wait);
    }

    /** A pool or an operation that is not found after an accepted write is not the same as one never found. */
    private static Failure ofPoll(Failure failure) {
        return failure instanceof Failure.Cancelled ? failure : unknown(failure.describe());
    }

    private static Failure unknown(@Nullable String why) {
        return Failure.Other.retriable("the write was accepted, what became of it is not known: " + why);
    }
}
