package dev.poolkeeper.fake.cloud;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a fault beyond a status, over HTTPS only. Immutable.
 *
 * @param target the requests it applies to
 * @param delay the delay of the response, in real time
 * @param drop when the connection is dropped; null for never
 * @param body the change to the response body; null for none
 * @param retryAfterDate whether {@code Retry-After} is sent as a date rather than as seconds
 * @param operation how the long-running operation of the write ends; null for its normal end
 */
public record HttpsFault(
        Target target,
        Duration delay,
        @Nullable Drop drop,
        @Nullable Body body,
        boolean retryAfterDate,
        @Nullable Ending operation) {

    /** No effects. */
    public static final HttpsFault NONE = new HttpsFault(Target.RESOURCE, Duration.ZERO, null, null, false, null);

    /** The requests a fault applies to. */
    public enum Target {
        /** Requests for a load balancer or its pools. */
        RESOURCE,
        /** Polls of a long-running operation, matched by the operation's load balancer and pool. */
        OPERATION,
        /** Lists of load balancers. */
        LIST
    }

    /** When a connection is dropped. */
    public enum Drop {
        /** Before the call is carried out. */
        BEFORE,
        /** After the call was carried out, before the response. */
        AFTER
    }

    /** The change to a body. */
    public enum Body {
        /** Cut off before the announced length. */
        TRUNCATED,
        /** Of full length but not JSON. */
        GARBLED,
        /** Missing. */
        EMPTY,
        /** An HTML page, as a proxy sends. */
        HTML
    }

    /** The failed end of a long-running operation. */
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
