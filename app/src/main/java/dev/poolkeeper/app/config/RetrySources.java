package dev.poolkeeper.app.config;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.Optional;

/**
 * The sources of the retry settings. Manifests take precedence over keys; those from files and those from the cluster
 * are judged together.
 *
 * @param policy the retry policy of the keys
 * @param budget the retry budget of the keys; empty if they set none
 * @param files the manifests from the configured files
 */
public record RetrySources(RetryPolicy policy, Optional<BudgetSettings> budget, PolicyManifests files) {

    /** Only the keys' settings. */
    public static RetrySources of(RetrySettings settings) {
        return new RetrySources(settings.policy(), settings.constraint(), PolicyManifests.NONE);
    }

    /** The settings without the cluster's policies. */
    public RetrySettings settings() {
        return under(ArmPolicies.of(files));
    }

    /** The settings under these policies, which already include those from files. */
    public RetrySettings under(ArmPolicies policies) {
        return new RetrySettings(
                policies.routes(),
                requireNonNullElse(policies.policy(), policy),
                policies.budget() == null ? budget : Optional.of(policies.budget()));
    }
}
