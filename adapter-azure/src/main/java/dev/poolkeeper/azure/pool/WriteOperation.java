package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmExchange;
import dev.poolkeeper.azure.http.ArmRequest;
import dev.poolkeeper.azure.http.Deadline;
import dev.poolkeeper.azure.http.InvalidAnswerException;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * One write, from the PUT to the end of the operation that it starts. A poll that is throttled by ARM or at the gate
 * waits and continues. Once a write is accepted, a failure that leaves its outcome unknown is retriable, because the
 * next tick's fresh read finds it out. Used by one thread.
 *
 * <p>The SDK's poller is not used: it waits 30 s before its first poll, treats a 429 as a failed write, does not
 * support deadlines, dates in {@code Retry-After} or interrupts, loses the reason why an operation was canceled, and
 * sends the token to any host named in the response.
 */
final class WriteOperation {

    private final ArmExchange exchange;
    private final PoolRequests requests;
    private final InstantSource clock;
    private final PollSettings polls;
    private final WriteFailures failures;
    private final PoolKey pool;
    private final Deadline deadline;
    private final CallContext context;

    private Place place = Place.RESOURCE;
    private String address = "";
    private Duration waited = Duration.ZERO;
    private Instant waitedUntil = Instant.MIN;

    /** Where the state of an accepted write is polled. */
    private enum Place {
        /** The status document in {@code Azure-AsyncOperation}. */
        DOCUMENT,
        /** The result in {@code Location}. */
        LOCATION,
        /** The pool. */
        RESOURCE
    }

    WriteOperation(
            ArmExchange exchange,
            PoolRequests requests,
            InstantSource clock,
            PollSettings polls,
            WriteFailures failures,
            PoolKey pool,
            Deadline deadline,
            CallContext context) {
        this.exchange = exchange;
        this.requests = requests;
        this.clock = clock;
        this.polls = polls;
        this.failures = failures;
        this.pool = pool;
        this.deadline = deadline;
        this.context = context;
    }

    /** Runs the write. Returns the pool as ARM shows it afterwards, or the failure. */
    Reply<BackendPool> run(ArmRequest.Update update) {
        return switch (exchange.send(requests.write(pool, update, deadline, context), failures::ofRefusal)) {
            case Reply.Failed<ArmAnswer>(Failure failure) -> Reply.failed(failure);
            case Reply.Ok<ArmAnswer>(ArmAnswer answer) -> {
                try {
                    yield accepted(answer);
                } catch (InvalidAnswerException e) {
                    yield Reply.failed(WriteFailures.ofInvalidAnswer(answer.status(), e.reason()));
                }
            }
        };
    }

    /** Most writes without changes complete at once, with the pool in the response. */
    private Reply<BackendPool> accepted(ArmAnswer answer) throws InvalidAnswerException {
        choosePlace(answer);
        OperationState state = answer.body().isEmpty() && (answer.status() == 202 || place == Place.DOCUMENT)
                ? new OperationState.Running()
                : OperationState.ofResource(answer);
        return state instanceof OperationState.Succeeded && answer.status() != 202
                ? Reply.ok(PoolReader.read(pool, answer))
                : poll(answer);
    }

    private void choosePlace(ArmAnswer accepted) {
        String document = accepted.header("Azure-AsyncOperation");
        String location = accepted.header("Location");
        if (document != null && requests.isTrusted(document)) {
            place = Place.DOCUMENT;
            address = document;
        } else if (accepted.status() == 202 && location != null && requests.isTrusted(location)) {
            place = Place.LOCATION;
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
            switch (send(place == Place.RESOURCE ? lookAtPool() : lookAtOperation())) {
                case Reply.Failed<ArmAnswer>(Failure.Throttled throttled) -> wait = waitFor(throttled);
                case Reply.Failed<ArmAnswer>(Failure failure) -> {
                    return Reply.failed(ofPoll(failure));
                }
                case Reply.Ok<ArmAnswer>(ArmAnswer answer) -> {
                    OperationState state;
                    try {
                        state = state(answer);
                    } catch (InvalidAnswerException e) {
                        return Reply.failed(
                                WriteFailures.afterAcceptance("the operation's state is invalid: " + e.reason()));
                    }
                    switch (state) {
                        case OperationState.Running running -> wait = waitAfter(answer, polls.after(waited));
                        case OperationState.Succeeded succeeded -> {
                            return result();
                        }
                        case OperationState.Failed(var error) -> {
                            return Reply.failed(failures.ofFailed(error, answer.correlationId()));
                        }
                        case OperationState.Canceled(var error) -> {
                            return Reply.failed(failures.ofCanceled(error, answer.correlationId()));
                        }
                    }
                }
            }
        }
    }

    private OperationState state(ArmAnswer answer) throws InvalidAnswerException {
        String moved = answer.header("Location");
        if (place == Place.LOCATION && answer.status() == 202 && moved != null && requests.isTrusted(moved)) {
            address = moved;
        }
        return switch (place) {
            case DOCUMENT -> OperationState.ofDocument(answer);
            case LOCATION -> OperationState.ofLocation(answer);
            case RESOURCE -> OperationState.ofResource(answer);
        };
    }

    /** Reads the pool after the operation; it may differ from what was requested. */
    private Reply<BackendPool> result() {
        while (true) {
            switch (send(lookAtPool())) {
                case Reply.Failed<ArmAnswer>(Failure.Throttled throttled) -> {
                    Optional<Failure> cancelled = await(waitFor(throttled));
                    if (cancelled.isPresent()) {
                        return Reply.failed(cancelled.get());
                    }
                }
                case Reply.Failed<ArmAnswer>(Failure failure) -> {
                    return Reply.failed(ofPoll(failure));
                }
                case Reply.Ok<ArmAnswer>(ArmAnswer answer) -> {
                    try {
                        return Reply.ok(PoolReader.read(pool, answer));
                    } catch (InvalidAnswerException e) {
                        return Reply.failed(WriteFailures.afterAcceptance(
                                "the pool read after the write is invalid: " + e.reason()));
                    }
                }
            }
        }
    }

    private ArmRequest lookAtPool() {
        return requests.pollPool(pool, deadline, context);
    }

    private ArmRequest lookAtOperation() {
        return requests.poll(pool.loadBalancer(), address, deadline, context);
    }

    private Reply<ArmAnswer> send(ArmRequest look) {
        return exchange.send(look.havingWaitedUntil(waitedUntil));
    }

    /** The wait that ARM asks for; the given interval if it does not, or if the time has passed. */
    private Duration waitAfter(ArmAnswer answer, Duration otherwise) {
        Instant now = clock.instant();
        return answer.retryAfter(now).map(at -> Duration.between(now, at)).orElse(otherwise);
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

    /** Waits, unless the deadline would pass before the wait ends. */
    private Optional<Failure> await(Duration wait) {
        if (wait.compareTo(deadline.remaining()) >= 0) {
            return Optional.of(new Failure.Cancelled(
                    "the write was accepted and is still in progress; polling stopped because the next poll"
                            + " would come after its deadline of " + deadline.inWords()));
        }
        waited = waited.plus(wait);
        return exchange.waitFor(ArmCall.Purpose.POLL, wait);
    }

    /** Maps the failure of a poll. A 404 after an accepted write leaves the outcome unknown, unlike a 404 before it. */
    private static Failure ofPoll(Failure failure) {
        return failure instanceof Failure.Cancelled ? failure : WriteFailures.afterAcceptance(failure.describe());
    }
}
