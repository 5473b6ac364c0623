package dev.poolkeeper.ports;

import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a call did not do what was asked. A failure is a value that crosses the port; adapters turn every exception of
 * their libraries into one of these, and no exception escapes them.
 *
 * <p>Source: design document, <em>Error Classification</em> and <em>ThrottleError</em>.
 */
public sealed interface Failure {

    /** The failure in one line for an event or a log, without a full stop at its end. Never holds a secret. */
    String describe();

    /** The same without correlation ids and instants: equal failures have equal notes. */
    default String note() {
        return describe();
    }

    /** ARM refused, or the local gate refused in its name. */
    sealed interface FromArm extends Failure {

        /** ARM's words. */
        ArmError error();

        @Override
        default String describe() {
            return OneLine.of(error().describe());
        }

        @Override
        default String note() {
            return OneLine.of(error().withoutCorrelationId().describe());
        }
    }

    /**
     * The pool or its load balancer does not exist.
     *
     * @param error ARM's words
     */
    record NotFound(ArmError error) implements FromArm {}

    /**
     * Refused because of too many requests: by ARM with status 429, or at the local gate that a 429 shut before. The
     * description depends neither on the instant nor on who refused.
     *
     * @param retryAfter when to come back, or null if that was not said; may be past
     * @param sent whether a request went out; false for a refusal at the local gate
     * @param error ARM's words
     */
    record Throttled(@Nullable Instant retryAfter, boolean sent, ArmError error) implements FromArm {

        /** ARM answered 429. */
        public static Throttled byArm(@Nullable Instant retryAfter, ArmError error) {
            return new Throttled(retryAfter, true, error);
        }

        /** The local gate is shut until the given instant; nothing was sent. */
        public static Throttled atGate(Instant shutUntil) {
            return new Throttled(shutUntil, false, ArmError.of(429, "TooManyRequests"));
        }
    }

    /**
     * Status 409: something else is at work on the resource.
     *
     * @param error ARM's words
     */
    record Conflict(ArmError error) implements FromArm {}

    /**
     * Status 412: the pool changed since it was read.
     *
     * @param error ARM's words
     */
    record PreconditionFailed(ArmError error) implements FromArm {}

    /**
     * Any other error status. Where the call itself is retried for that status, those retries have been used up.
     *
     * @param status the HTTP status, 400 to 599
     * @param error ARM's words
     * @param retriesEnded why the call itself was not retried, or not again; null where it has no retries
     */
    record HttpError(int status, ArmError error, CallRetries.@Nullable Reason retriesEnded) implements FromArm {

        public HttpError(int status, ArmError error) {
            this(status, error, null);
        }

        /** ARM's words, marked where somebody would wonder why there was no retry. */
        @Override
        public String describe() {
            return marked(FromArm.super.describe());
        }

        @Override
        public String note() {
            return marked(FromArm.super.note());
        }

        private String marked(String words) {
            boolean expected = retriesEnded != CallRetries.Reason.NOT_RETRIABLE || RetryPolicy.DEFAULT.retries(status);
            return retriesEnded == null || !expected ? words : retriesEnded.mark(words);
        }
    }

    /**
     * The call was given up before its end: by a deadline of the call or tick, or by shutdown.
     *
     * @param reason who gave up and why
     */
    record Cancelled(String reason) implements Failure {
        @Override
        public String describe() {
            return OneLine.of(reason);
        }
    }

    /**
     * Anything that is not an answer of ARM.
     *
     * @param reason what happened
     * @param retriable whether the adapter knows that it passes: the design document's opt-in for errors that are not
     *     ARM's
     */
    record Other(String reason, boolean retriable) implements Failure {

        /** An error that the same request may not meet again. */
        public static Other retriable(String reason) {
            return new Other(reason, true);
        }

        /** An error that the same request will meet again. */
        public static Other terminal(String reason) {
            return new Other(reason, false);
        }

        /**
         * No connection, a lost one, or no answer in time, after which the call was not retried, or not again. Known to
         * pass.
         */
        public static Other unanswered(String reason, CallRetries.Reason retriesEnded) {
            return retriable(retriesEnded.mark(OneLine.of(reason)));
        }

        @Override
        public String describe() {
            return OneLine.of(reason);
        }
    }

    /** The failure that an HTTP error status stands for. {@code retryAfter} counts for 429 only. */
    static FromArm ofStatus(int status, @Nullable Instant retryAfter, ArmError error) {
        return ofStatus(status, retryAfter, error, null);
    }

    /** As above. {@code retriesEnded} says why the call itself was not retried, or not again. */
    static FromArm ofStatus(
            int status, @Nullable Instant retryAfter, ArmError error, CallRetries.@Nullable Reason retriesEnded) {
        return switch (status) {
            case 404 -> new NotFound(error);
            case 409 -> new Conflict(error);
            case 412 -> new PreconditionFailed(error);
            case 429 -> Throttled.byArm(retryAfter, error);
            default -> new HttpError(status, error, retriesEnded);
        };
    }
}
