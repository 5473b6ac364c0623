package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;

/** The destination of a request. */
sealed interface Destination {

    /**
     * A backend.
     *
     * @param route the matching rule or route, for metrics
     * @param backend the address of the backend
     * @param settings the retry policy and the budget
     * @param retries decides on retries, under the budget of the backend or of the ServiceProfile
     * @param isOverBudgetRefused whether an exhausted budget is answered with 503; else the last response is returned
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

    /** No destination. */
    record Refuse(OwnAnswer answer) implements Destination {}
}
