package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallRetries;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A completed attempt at an HTTP exchange with ARM.
 *
 * @param purpose its purpose
 * @param loadBalancer the load balancer it concerned; null for a listing
 * @param attempt 1 for the first attempt, higher for retries
 * @param status the HTTP status; null if there was no response
 * @param duration how long it took, including fetching the token
 * @param outcome its result
 * @param decision what {@link CallRetries} decided after it; null if it was not asked. A retry that the budget refused
 *     is {@link CallRetries.Decision.GiveUp} for {@link CallRetries.Reason#BUDGET_REFUSED}
 * @param correlationId the id by which Azure support finds the call; null if there is none
 */
public record ArmCall(
        Purpose purpose,
        @Nullable ArmName loadBalancer,
        int attempt,
        @Nullable Integer status,
        Duration duration,
        Outcome outcome,
        CallRetries.@Nullable Decision decision,
        @Nullable String correlationId) {

    /** The purpose of a request. All are idempotent and may be repeated. */
    public enum Purpose {
        /** GET of a pool. */
        READ("GET"),
        /** PUT of a pool. */
        WRITE("PUT"),
        /** GET of a page of load balancers. */
        LIST("GET"),
        /** GET of a long-running operation's state or of its result. */
        POLL("GET"),
        /** GET of our identity's permissions. */
        PROBE("GET");

        private final String method;

        Purpose(String method) {
            this.method = method;
        }

        /** The HTTP method. */
        public String method() {
            return method;
        }
    }

    /** The result of an attempt. */
    public enum Outcome {
        /** ARM responded, with any status. */
        ANSWERED,
        /** The connection failed, or was lost before the end of the response. */
        CONNECTION_ERROR,
        /** There was no response within the timeout. */
        TIMED_OUT,
        /** The local gate was closed; nothing was sent. */
        REFUSED_AT_GATE,
        /** The thread was interrupted, or leadership or the resource lock was lost. */
        CANCELLED,
        /** Any other failure, such as a missing token. */
        FAILED
    }
}
