package dev.poolkeeper.app.config;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.input.policies.PolicyWords;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.InvalidPolicyException;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the keys of retries. A manifest takes precedence over them. */
final class RetryKeys {

    private static final String RETRY_CONSTRAINT = "retryConstraint";
    private static final int THROTTLED = 429;
    private static final GatewayApi USUAL_BUDGET = (GatewayApi) BudgetSettings.DEFAULT;

    private RetryKeys() {}

    static RetrySources read(Settings settings) {
        PolicyManifests files = files(settings);
        ArmPolicies manifests = ArmPolicies.of(files);
        manifests.notes().forEach(settings::note);
        explainBackoffRetries(settings, manifests);
        noteOverruled(settings, manifests);
        RetryPolicy policy = manifests.policy() == null ? ownPolicy(settings) : manifests.policy();
        Optional<BudgetSettings> budget = manifests.budget() == null ? ownBudget(settings) : Optional.empty();
        if (manifests.policy() != null) {
            showRoutes(settings, manifests);
            showPolicy(settings, policy, manifests.policyFrom());
        }
        if (manifests.budget() != null) {
            showBudget(settings, manifests.budget(), manifests.budgetFrom());
        }
        return new RetrySources(policy, budget, files);
    }

    /** The default of {@link Keys#RETRY_ATTEMPTS}. */
    static Setting<Integer> usualAttempts(Settings settings) {
        Integer retries = settings.find(Keys.BACKOFF_RETRIES);
        return retries != null && retries > 0 && settings.get(Keys.BACKOFF)
                ? new Setting<>(retries, settings.originOf(Keys.BACKOFF_RETRIES) + ": " + Keys.BACKOFF_RETRIES.name())
                : Setting.byDefault(RetryPolicy.DEFAULT_ATTEMPTS);
    }

    /** The default of a field of the budget: the Gateway API's if there is a stanza. */
    static <T> Setting<T> usualBudget(Settings settings, Function<GatewayApi, T> field) {
        return settings.has(RETRY_CONSTRAINT)
                ? new Setting<>(field.apply(GatewayApi.STANZA_DEFAULT), "default of the Gateway API")
                : Setting.byDefault(field.apply(USUAL_BUDGET));
    }

    private static PolicyManifests files(Settings settings) {
        try {
            return PolicyManifests.readForArm(
                    settings.get(Keys.RETRY_POLICY_FILES), settings.get(Keys.POLICY_NAMESPACE));
        } catch (BadInputException e) {
            e.faults().forEach(fault -> settings.fault(Keys.RETRY_POLICY_FILES, fault.toString()));
            return PolicyManifests.NONE;
        }
    }

    /**
     * Source: design document, <em>Error Classification</em>: the cloud provider's retries are used only if
     * {@code cloudProviderBackoff} is true, and 0 does not disable retries.
     */
    private static void explainBackoffRetries(Settings settings, ArmPolicies manifests) {
        Integer retries = settings.find(Keys.BACKOFF_RETRIES);
        if (!settings.get(Keys.BACKOFF)) {
            settings.disable(Keys.BACKOFF_RETRIES, Keys.BACKOFF.name() + " is not true");
        } else if (retries != null && retries == 0) {
            settings.disable(Keys.BACKOFF_RETRIES, "0 does not disable retries");
        } else if (manifests.policy() != null) {
            settings.disable(Keys.BACKOFF_RETRIES, manifests.policyFrom() + " takes precedence");
        } else if (settings.isSet(Keys.RETRY_ATTEMPTS)) {
            settings.disable(Keys.BACKOFF_RETRIES, Keys.RETRY_ATTEMPTS.name() + " takes precedence");
        }
    }

    private static void noteOverruled(Settings settings, ArmPolicies manifests) {
        if (manifests.policy() != null && (settings.has("retry") || settings.has("timeouts"))) {
            settings.note("retry, timeouts: not used, " + manifests.policyFrom() + " takes precedence");
        }
        if (manifests.budget() != null && settings.has(RETRY_CONSTRAINT)) {
            settings.note(RETRY_CONSTRAINT + ": not used, " + manifests.budgetFrom() + " takes precedence");
        }
    }

    /** The keys show the policy of calls that match no route. */
    private static void showRoutes(Settings settings, ArmPolicies manifests) {
        for (int i = 0; i < manifests.routes().size(); i++) {
            RetryRoute route = manifests.routes().get(i);
            settings.show(
                    "retry.routes[" + i + "]",
                    route.condition() + ": " + PolicyWords.of(route.policy()),
                    manifests.policyFrom());
        }
    }

    private static RetryPolicy ownPolicy(Settings settings) {
        settings.get(Keys.RETRY_CODES).stream()
                .filter(RetryPolicy.ELSEWHERE::contains)
                .forEach(code -> settings.fault(Keys.RETRY_CODES.name(), "found " + code + ", " + ownerOf(code)));
        try {
            return new RetryPolicy(
                    settings.get(Keys.RETRY_CODES),
                    settings.get(Keys.RETRY_ATTEMPTS),
                    settings.get(Keys.RETRY_BACKOFF),
                    settings.get(Keys.REQUEST_TIMEOUT),
                    settings.get(Keys.BACKEND_REQUEST_TIMEOUT));
        } catch (InvalidPolicyException e) {
            e.faults().forEach(fault -> settings.fault(fault.field(), fault.problem()));
            return RetryPolicy.DEFAULT;
        }
    }

    private static String ownerOf(int code) {
        return code == THROTTLED
                ? "must not be listed: the throttling gate handles it by waiting for Retry-After"
                : "must not be listed: the updater retries it after a fresh read";
    }

    /** Every field has been validated on its own; there are no rules across fields. */
    private static Optional<BudgetSettings> ownBudget(Settings settings) {
        GatewayApi budget = new GatewayApi(
                settings.get(Keys.BUDGET_PERCENT),
                settings.get(Keys.BUDGET_INTERVAL),
                new MinRetryRate(settings.get(Keys.MIN_RETRY_COUNT), settings.get(Keys.MIN_RETRY_INTERVAL)));
        return settings.has(RETRY_CONSTRAINT) ? Optional.of(budget) : Optional.empty();
    }

    private static void showPolicy(Settings settings, RetryPolicy policy, String manifest) {
        settings.replace(Keys.RETRY_CODES, policy.codes(), manifest);
        settings.replace(Keys.RETRY_ATTEMPTS, policy.attempts(), manifest);
        settings.replace(Keys.RETRY_BACKOFF, policy.backoff(), manifest);
        settings.replace(Keys.REQUEST_TIMEOUT, policy.request(), manifest);
        settings.replace(Keys.BACKEND_REQUEST_TIMEOUT, policy.backendRequest(), manifest);
    }

    private static void showBudget(Settings settings, BudgetSettings budget, String manifest) {
        if (budget instanceof GatewayApi fields) {
            settings.replace(Keys.BUDGET_PERCENT, fields.percent(), manifest);
            settings.replace(Keys.BUDGET_INTERVAL, fields.interval(), manifest);
            settings.replace(Keys.MIN_RETRY_COUNT, fields.minRetryRate().count(), manifest);
            settings.replace(Keys.MIN_RETRY_INTERVAL, fields.minRetryRate().interval(), manifest);
            return;
        }
        List<Key<?>> unused =
                List.of(Keys.BUDGET_PERCENT, Keys.BUDGET_INTERVAL, Keys.MIN_RETRY_COUNT, Keys.MIN_RETRY_INTERVAL);
        unused.forEach(key -> settings.replace(key, null, manifest));
        settings.show("retryBudget", PolicyWords.of(budget), manifest);
    }
}
