package dev.poolkeeper.app.config;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.Optional;

/**
 * From where it is known how calls are retried. Manifests stand above keys; those of files and those of the cluster are
 * judged together.
 *
 * @param policy what the keys say about when calls are retried
 * @param budget what they say about the budget; empty where they say nothing
 * @param files the manifests of the configured files
 */
public record RetrySources(RetryPolicy policy, Optional<BudgetSettings> budget, PolicyManifests files) {

    /** Keys alone. */
    public static RetrySources of(RetrySettings settings) {
        return new RetrySources(settings.policy(), settings.constraint(), PolicyManifests.NONE);
    }

    /** What is set where the cluster has no policies. */
    public RetrySettings settings() {
        return under(ArmPolicies.of(files));
    }

    /** What is set under these policies, in which those of the files are already. */
    public RetrySettings under(ArmPolicies policies) {
        return new RetrySettings(
                policies.routes(),
                requireNonNullElse(policies.policy(), policy),
                policies.budget() == null ? budget : Optional.of(policies.budget()));
    }
}
