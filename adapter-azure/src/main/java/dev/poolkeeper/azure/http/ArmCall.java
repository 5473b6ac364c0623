package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallRetries;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an HTTP exchange with ARM, once it is over.
 *
 * @param purpose what it was for
 * @param loadBalancer the load balancer it concerned; null for a listing
 * @param attempt 1 for the first attempt, more for its retries
 * @param status the answer's HTTP status; null where there was no answer
 * @param duration how long it took, the token included
 * @param outcome its result
 * @param decision what {@link CallRetries} decided after it; null where it was not asked. A retry that the budget
 *     refused is {@link CallRetries.Decision.GiveUp} for {@link CallRetries.Reason#BUDGET_REFUSED}
 * @param correlationId the id by which Azure's support finds the call; null where no answer gave one
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

    /** What a request is for. Each may be sent again: none changes anything twice. */
    public enum Purpose {
        /** GET of a pool. */
        READ("GET"),
        /** PUT of a pool. */
        WRITE("PUT"),
        /** GET of a page of load balancers. */
        LIST("GET"),
        /** GET of a long-running operation's state or of its result. */
        POLL("GET"),
        /** GET of what our identity may do. */
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
        /** ARM answered, with whatever status. */
        ANSWERED,
        /** No connection, or one that was lost before the answer's end. */
        CONNECTION_ERROR,
        /** No answer in time. */
        TIMED_OUT,
        /** The local gate was shut; nothing was sent. */
        REFUSED_AT_GATE,
        /** The thread was interrupted. */
        CANCELLED,
        /** Something else, such as no token. */
        FAILED
    }
}
