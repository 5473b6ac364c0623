package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.RetryPolicy;

/** Where a request goes. */
sealed interface Destination {

    /**
     * To a backend.
     *
     * @param route the rule or route that it took, for metrics
     * @param backend where to
     * @param policy when it is retried
     * @param retries asked before a retry, under the budget of the backend or of the ServiceProfile
     * @param isOverBudgetRefused whether a spent budget is answered with 503; else the last answer goes back
     */
    record Forward(
            String route, BackendAddress backend, RetryPolicy policy, CallRetries retries, boolean isOverBudgetRefused)
            implements Destination {

        static Forward of(
                String route,
                BackendAddress backend,
                RetryPolicy policy,
                RetryModel model,
                boolean isOverBudgetRefused) {
            return new Forward(route, backend, policy, model.calls(policy), isOverBudgetRefused);
        }
    }

    /** Nowhere. */
    record Refuse(OwnAnswer answer) implements Destination {}
}
