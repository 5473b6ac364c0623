package dev.poolkeeper.fake.cloud;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a fault does beyond a status, over HTTPS only. Immutable.
 *
 * @param target which requests it is for
 * @param delay how long the answer is held back, in real time
 * @param drop whether and when the connection is dropped instead of an answer, null for not
 * @param body what becomes of the answer's body, null for nothing
 * @param retryAfterDate whether {@code Retry-After} is sent as a date rather than as seconds
 * @param operation how the long-running operation of the write ends, null for as it would
 */
public record HttpsFault(
        Target target,
        Duration delay,
        @Nullable Drop drop,
        @Nullable Body body,
        boolean retryAfterDate,
        @Nullable Ending operation) {

    /** Nothing. */
    public static final HttpsFault NONE = new HttpsFault(Target.RESOURCE, Duration.ZERO, null, null, false, null);

    /** Which requests a fault is for. */
    public enum Target {
        /** Those that name a load balancer. */
        RESOURCE,
        /** Polls of a long-running operation, by the load balancer and pool that it is about. */
        OPERATION,
        /** Lists of load balancers. */
        LIST
    }

    /** When a connection is dropped. */
    public enum Drop {
        /** Before anything was done. */
        BEFORE,
        /** When everything was done and only the answer is missing. */
        AFTER
    }

    /** What becomes of a body. */
    public enum Body {
        /** Ends in its middle, short of the length announced. */
        TRUNCATED,
        /** Has its full length and is no JSON. */
        GARBLED,
        /** Is not there. */
        EMPTY,
        /** Is a page for people, as a proxy sends. */
        HTML
    }

    /** How a long-running operation ends badly. */
    public enum Ending {
        /** Status {@code Failed}. */
        FAILED,
        /** Status {@code Canceled}. */
        CANCELED
    }

    public HttpsFault target(Target newTarget) {
        return new HttpsFault(newTarget, delay, drop, body, retryAfterDate, operation);
    }

    public HttpsFault delay(Duration newDelay) {
        return new HttpsFault(target, newDelay, drop, body, retryAfterDate, operation);
    }

    public HttpsFault drop(Drop newDrop) {
        return new HttpsFault(target, delay, newDrop, body, retryAfterDate, operation);
    }

    public HttpsFault body(Body newBody) {
        return new HttpsFault(target, delay, drop, newBody, retryAfterDate, operation);
    }

    public HttpsFault withRetryAfterDate() {
        return new HttpsFault(target, delay, drop, body, true, operation);
    }

    public HttpsFault operation(Ending newOperation) {
        return new HttpsFault(target, delay, drop, body, retryAfterDate, newOperation);
    }
}
