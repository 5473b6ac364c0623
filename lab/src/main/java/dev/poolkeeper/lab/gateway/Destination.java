package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;

/** Where a request goes. */
sealed interface Destination {

    /**
     * To a backend.
     *
     * @param route the rule or route that it took, for metrics
     * @param backend where to
     * @param settings when it is retried, and the budget
     * @param retries asked before a retry, under the budget of the backend or of the ServiceProfile
     * @param isOverBudgetRefused whether a spent budget is answered with 503; else the last answer goes back
     */
    record Forward(
            String route,
            BackendAddress backend,
            RetrySettings settings,
            CallRetries retries,
            boolean isOverBudgetRefused)
            implements Destination {

        static Forward of(
                String route,
                BackendAddress backend,
                RetrySettings settings,
                RetryModel model,
                boolean isOverBudgetRefused) {
            return new Forward(route, backend, settings, model.calls(settings.policy()), isOverBudgetRefused);
        }

        RetryPolicy policy() {
            return settings.policy();
        }
    }

    /** Nowhere. */
    record Refuse(OwnAnswer answer) implements Destination {}
}
