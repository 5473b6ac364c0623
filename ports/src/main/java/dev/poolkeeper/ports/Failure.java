package dev.poolkeeper.ports;

import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a call failed. Failures cross the port as values: adapters convert every exception of their libraries
 * into one of these and throw none.
 *
 * <p>Source: design document, <em>Error Classification</em> and <em>ThrottleError</em>.
 */
public sealed interface Failure {

    /** The failure in one line for an event or a log, without a full stop at the end. Never contains a secret. */
    String describe();

    /** The same without correlation ids and times, so that equal failures have equal notes. */
    default String note() {
        return describe();
    }

    /** Whether it differs from an earlier failure in correlation ids and times only. */
    default boolean repeats(Failure earlier) {
        return equals(earlier);
    }

    /** An error from ARM, or from the local throttling gate on its behalf. */
    sealed interface FromArm extends Failure {

        /** ARM's error. */
        ArmError error();

        @Override
        default String describe() {
            return oneLine(error().describe());
        }

        @Override
        default String note() {
            return oneLine(error().withoutCorrelationId().describe());
        }

        @Override
        default boolean repeats(Failure earlier) {
            return earlier instanceof FromArm other
                    && other.getClass().equals(getClass())
                    && other.error().withoutCorrelationId().equals(error().withoutCorrelationId());
        }
    }

    /**
     * Status 404.
     *
     * @param error ARM's error
     */
    record NotFound(ArmError error) implements FromArm {

        private static final Set<String> ABSENCE = Set.of("NotFound", "ResourceNotFound", "ParentResourceNotFound");

        /**
         * Whether the pool or its load balancer does not exist. With any other code something else was not found, such
         * as a resource group that a replica of ARM does not know yet, which says nothing about the pool.
         */
        public boolean isAbsence() {
            String code = error.code();
            return code == null || ABSENCE.stream().anyMatch(code::equalsIgnoreCase);
        }
    }

    /**
     * Throttled: by ARM with status 429, or by the local gate that an earlier 429 closed. The description does not
     * depend on the time or on where the call was throttled.
     *
     * @param retryAfter the earliest time of the next attempt; null if unknown; may be in the past
     * @param sent whether a request went out; false for a refusal at the local gate
     * @param error ARM's error
     */
    record Throttled(@Nullable Instant retryAfter, boolean sent, ArmError error) implements FromArm {

        /** ARM answered 429. */
        public static Throttled byArm(@Nullable Instant retryAfter, ArmError error) {
            return new Throttled(retryAfter, true, error);
        }

        /** The local gate is closed until the given time; nothing was sent. */
        public static Throttled atGate(Instant shutUntil) {
            return new Throttled(shutUntil, false, ArmError.of(429, "TooManyRequests"));
        }
    }

    /**
     * Status 409: another operation on the resource is in progress.
     *
     * @param error ARM's error
     */
    record Conflict(ArmError error) implements FromArm {}

    /**
     * Status 412: the pool changed since it was read.
     *
     * @param error ARM's error
     */
    record PreconditionFailed(ArmError error) implements FromArm {}

    /**
     * Any other error status. If the call is retried for that status, its retries are exhausted.
     *
     * @param status the HTTP status, 400 to 599
     * @param error ARM's error
     * @param retriesEnded why the call was not retried, or not again; null if it has no retries
     */
    record HttpError(int status, ArmError error, CallRetries.@Nullable Reason retriesEnded) implements FromArm {

        public HttpError(int status, ArmError error) {
            this(status, error, null);
        }

        /** ARM's error, with the reason if a reader would expect a retry. */
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
     * The call was cancelled by a deadline of the call or tick, by shutdown, or because it may no longer be made.
     *
     * @param reason why it was cancelled
     * @param fenced whether a request was not sent because the call's {@link CallContext#term} was over
     */
    record Cancelled(String reason, boolean fenced) implements Failure {

        /** Cancelled by a deadline or an interrupt. */
        public Cancelled(String reason) {
            this(reason, false);
        }

        /** Leadership or the resource lock was lost before a request. */
        public static Cancelled atFence() {
            return new Cancelled("leadership or the resource lock was lost", true);
        }

        /** Leadership or the resource lock was lost before a request that failed could be repeated. */
        public static Cancelled atFence(Failure last) {
            return last instanceof Cancelled cancelled && cancelled.fenced()
                    ? cancelled
                    : new Cancelled("leadership or the resource lock was lost after " + last.describe(), true);
        }

        @Override
        public String describe() {
            return oneLine(reason);
        }
    }

    /**
     * Any failure other than a response from ARM.
     *
     * @param reason what happened
     * @param retriable whether the adapter knows that the failure is transient: the design document's opt-in for errors
     *     not from ARM
     */
    record Other(String reason, boolean retriable) implements Failure {

        /** A transient error: the same request may succeed later. */
        public static Other retriable(String reason) {
            return new Other(reason, true);
        }

        /** A permanent error: the same request will fail again. */
        public static Other terminal(String reason) {
            return new Other(reason, false);
        }

        /**
         * Connection failed, connection lost, or timeout, after which the call was not retried, or not again.
         * Transient.
         */
        public static Other unanswered(String reason, CallRetries.Reason retriesEnded) {
            return retriable(retriesEnded.mark(oneLine(reason)));
        }

        @Override
        public String describe() {
            return oneLine(reason);
        }
    }

    /** The failure for an HTTP error status. {@code retryAfter} applies only to 429. */
    static FromArm ofStatus(int status, @Nullable Instant retryAfter, ArmError error) {
        return switch (status) {
            case 404 -> new NotFound(error);
            case 409 -> new Conflict(error);
            case 412 -> new PreconditionFailed(error);
            case 429 -> Throttled.byArm(retryAfter, error);
            default -> new HttpError(status, error);
        };
    }

    /** For use in the middle of a sentence: one safe line, no full stop at the end. */
    private static String oneLine(String text) {
        String line = ForeignText.line(text.strip());
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }
}
