package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.policies.GepDuration;
import dev.poolkeeper.input.policies.PolicyFiles;
import dev.poolkeeper.input.policies.PolicyStanzas;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The keys about retries. A manifest stands above the configuration's own keys.
 *
 * @param settings what they come to
 * @param files the manifests that were read
 * @param values every setting as it takes effect
 * @param notes what of the manifests was passed over or conflicts
 */
record RetryKeys(RetrySettings settings, List<Path> files, List<EffectiveValue> values, List<String> notes) {

    private static final String BY_DEFAULT = "default";

    /** @param configuration the configuration file, beside which manifests are looked for */
    static RetryKeys read(JsonObject keys, Path configuration) {
        List<Path> files = files(keys, configuration);
        PolicyFiles manifests = PolicyFiles.NONE;
        try {
            manifests = PolicyFiles.read(files);
        } catch (BadInputException e) {
            e.faults().forEach(fault -> keys.fault(Keys.RETRY_POLICY_FILES, fault.toString()));
        }
        EffectiveValues backoff = new EffectiveValues(keys, configuration.toString());
        OptionalInt backoffRetries = backoffRetries(keys, backoff, manifests.policyFrom());
        RetryPolicy own = PolicyStanzas.ofConfiguration(keys, backoffRetries.orElse(RetryPolicy.DEFAULT_ATTEMPTS));
        BudgetSettings ownBudget = PolicyStanzas.ofConstraint(keys);
        RetryPolicy policy = manifests.policy() == null ? own : manifests.policy();
        BudgetSettings budget = manifests.budget() != null
                ? manifests.budget()
                : ownBudget == null ? BudgetSettings.DEFAULT : ownBudget;
        List<EffectiveValue> values = new ArrayList<>(backoff.all());
        addPolicy(values, policy, keys, manifests.policyFrom(), configuration.toString(), backoffRetries.isPresent());
        addBudget(values, budget, keys, manifests.budgetFrom(), configuration.toString());
        List<String> notes = new ArrayList<>(manifests.notes());
        noteOverruled(notes, keys, manifests);
        return new RetryKeys(new RetrySettings(policy, budget), files, values, notes);
    }

    /**
     * How many retries the cloud provider's keys ask for, if they do. Source: design document, <em>Error
     * Classification</em>: they count only where {@code cloudProviderBackoff} is true, and 0 does not switch retries
     * off.
     */
    private static OptionalInt backoffRetries(JsonObject keys, EffectiveValues values, String manifest) {
        boolean isOn = values.truth(Keys.BACKOFF);
        int retries = (int)
                keys.wholeNumber(Keys.BACKOFF_RETRIES, 0, Integer.MAX_VALUE).orElse(0);
        String why = "";
        if (!isOn) {
            why = Keys.BACKOFF + " is not true";
        } else if (retries == 0) {
            why = "0 does not switch retries off";
        } else if (!manifest.isEmpty()) {
            why = manifest + " stands above it";
        } else if (keys.node().path(Keys.RETRY).hasNonNull("attempts")) {
            why = Keys.RETRY + ".attempts stands above it";
        }
        String origin = why.isEmpty() ? values.origin(Keys.BACKOFF_RETRIES) : values.origin(Keys.BACKOFF_RETRIES, why);
        values.add(Keys.BACKOFF_RETRIES, why.isEmpty() ? retries : null, origin);
        return why.isEmpty() ? OptionalInt.of(retries) : OptionalInt.empty();
    }

    private static List<Path> files(JsonObject keys, Path configuration) {
        List<Path> files = new ArrayList<>();
        for (String name : keys.strings(Keys.RETRY_POLICY_FILES)) {
            try {
                files.add(configuration.resolveSibling(name));
            } catch (InvalidPathException e) {
                keys.fault(Keys.RETRY_POLICY_FILES, "found \"" + name + "\", must be the name of a file");
            }
        }
        return files;
    }

    private static void noteOverruled(List<String> notes, JsonObject keys, PolicyFiles manifests) {
        if (manifests.policy() != null && (keys.has(Keys.RETRY) || keys.has(Keys.TIMEOUTS))) {
            notes.add(
                    Keys.RETRY + ", " + Keys.TIMEOUTS + ": not used, " + manifests.policyFrom() + " stands above them");
        }
        if (manifests.budget() != null && keys.has(Keys.RETRY_CONSTRAINT)) {
            notes.add(Keys.RETRY_CONSTRAINT + ": not used, " + manifests.budgetFrom() + " stands above it");
        }
    }

    private static void addPolicy(
            List<EffectiveValue> values,
            RetryPolicy policy,
            JsonObject keys,
            String manifest,
            String file,
            boolean isFromBackoff) {
        add(values, keys, Keys.RETRY, "codes", policy.codes(), manifest, file);
        if (isFromBackoff) {
            values.add(new EffectiveValue(
                    Keys.RETRY + ".attempts", Integer.toString(policy.attempts()), file + ": " + Keys.BACKOFF_RETRIES));
        } else {
            add(values, keys, Keys.RETRY, "attempts", policy.attempts(), manifest, file);
        }
        add(values, keys, Keys.RETRY, "backoff", GepDuration.format(policy.backoff()), manifest, file);
        add(values, keys, Keys.TIMEOUTS, "request", GepDuration.format(policy.request()), manifest, file);
        add(values, keys, Keys.TIMEOUTS, "backendRequest", GepDuration.format(policy.backendRequest()), manifest, file);
    }

    private static void addBudget(
            List<EffectiveValue> values, BudgetSettings budget, JsonObject keys, String manifest, String file) {
        if (!(budget instanceof GatewayApi settings)) {
            values.add(new EffectiveValue("retryBudget", budget.toString(), manifest));
            return;
        }
        String holder = Keys.RETRY_CONSTRAINT + ".budget";
        JsonNode constraint = keys.node().path(Keys.RETRY_CONSTRAINT);
        JsonNode share = constraint.path("budget");
        JsonNode floor = constraint.path("minRetryRate");
        boolean own = keys.has(Keys.RETRY_CONSTRAINT);
        addIn(values, share, holder, "percent", settings.percent(), manifest, file, own);
        addIn(values, share, holder, "interval", GepDuration.format(settings.interval()), manifest, file, own);
        String rate = Keys.RETRY_CONSTRAINT + ".minRetryRate";
        addIn(values, floor, rate, "count", settings.minRetryRate().count(), manifest, file, own);
        String interval = GepDuration.format(settings.minRetryRate().interval());
        addIn(values, floor, rate, "interval", interval, manifest, file, own);
    }

    private static void add(
            List<EffectiveValue> values,
            JsonObject keys,
            String holder,
            String field,
            Object value,
            String manifest,
            String file) {
        addIn(values, keys.node().path(holder), holder, field, value, manifest, file, false);
    }

    private static void addIn(
            List<EffectiveValue> values,
            JsonNode holder,
            String name,
            String field,
            Object value,
            String manifest,
            String file,
            boolean ofStanza) {
        String origin = !manifest.isEmpty()
                ? manifest
                : holder.hasNonNull(field) ? file : ofStanza ? BY_DEFAULT + " of the Gateway API" : BY_DEFAULT;
        values.add(new EffectiveValue(name + "." + field, value.toString(), origin));
    }
}
