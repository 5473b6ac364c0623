package dev.poolkeeper.input.policies;

import static dev.poolkeeper.input.policies.StanzaFields.duration;
import static dev.poolkeeper.input.policies.StanzaFields.goDuration;
import static dev.poolkeeper.input.policies.StanzaFields.number;
import static dev.poolkeeper.input.policies.StanzaFields.validated;
import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.BudgetSettings.MinRetryRate;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the stanzas of retry policies, in configuration files and manifests. */
public final class PolicyStanzas {

    private static final List<String> RETRY = List.of("codes", "attempts", "backoff");
    private static final List<String> TIMEOUTS = List.of("request", "backendRequest");
    private static final List<String> CONSTRAINT = List.of("budget", "minRetryRate");
    private static final List<String> BUDGET = List.of("percent", "interval");
    private static final List<String> RATE = List.of("count", "interval");
    private static final List<String> LINKERD = List.of("retryRatio", "minRetriesPerSecond", "ttl");

    private PolicyStanzas() {}

    /**
     * {@code retry} and {@code timeouts} in our own configuration: unset fields default to {@link RetryPolicy#DEFAULT},
     * and 0 attempts switch retries off.
     *
     * @param attempts the default of {@code retry.attempts}
     */
    public static RetryPolicy ofConfiguration(JsonObject holder, int attempts) {
        return policy(holder, RetryPolicy.DEFAULT.codes(), attempts, RetryPolicy.DEFAULT_BACKOFF);
    }

    /**
     * {@code retry} and {@code timeouts} in an HTTPRoute's rule: without {@code retry} no request is retried, without
     * {@code codes} only connection errors are.
     *
     * @param backoff the default of the shortest wait
     */
    static RetryPolicy ofRoute(JsonObject rule, Duration backoff) {
        return policy(rule, Set.of(), rule.has("retry") ? RetryPolicy.DEFAULT_ATTEMPTS : 0, backoff);
    }

    private static RetryPolicy policy(
            JsonObject holder, Collection<Integer> codes, int attempts, Duration usualBackoff) {
        JsonObject retry = holder.object("retry");
        JsonObject timeouts = holder.object("timeouts");
        retry.allowOnly(RETRY);
        timeouts.allowOnly(TIMEOUTS);
        Collection<Integer> listed = requireNonNullElse(StanzaFields.numbers(retry, "codes"), codes);
        int retries = (int) retry.wholeNumber("attempts", 0, Integer.MAX_VALUE).orElse(attempts);
        Duration backoff = requireNonNullElse(duration(retry, "backoff"), usualBackoff);
        Duration request = requireNonNullElse(duration(timeouts, "request"), Duration.ZERO);
        Duration each = requireNonNullElse(duration(timeouts, "backendRequest"), usualAttempt(request));
        return validated(holder, RetryPolicy.DEFAULT, () -> new RetryPolicy(listed, retries, backoff, request, each));
    }

    /** The default of {@code timeouts.backendRequest}: at most the timeout of the whole request. */
    public static Duration usualAttempt(Duration request) {
        Duration usual = RetryPolicy.DEFAULT_BACKEND_REQUEST;
        return request.isZero() || request.compareTo(usual) > 0 ? usual : request;
    }

    /** {@code retryConstraint}, or null if absent. */
    public static @Nullable BudgetSettings ofConstraint(JsonObject holder) {
        if (!holder.has("retryConstraint")) {
            return null;
        }
        JsonObject constraint = holder.object("retryConstraint");
        JsonObject budget = constraint.object("budget");
        JsonObject rate = constraint.object("minRetryRate");
        constraint.allowOnly(CONSTRAINT);
        budget.allowOnly(BUDGET);
        return gatewayApi(
                holder, rate, number(budget, "percent").orElse(STANZA.percent()), duration(budget, "interval"));
    }

    /** The {@code retry} of a BackendTrafficPolicy as in the first draft of GEP-3388, or null if absent. */
    static @Nullable BudgetSettings ofFirstDraft(JsonObject spec) {
        if (!spec.has("retry")) {
            return null;
        }
        JsonObject retry = spec.object("retry");
        retry.allowOnly(List.of("budgetPercent", "budgetInterval", "minRetryRate"));
        return gatewayApi(
                spec,
                retry.object("minRetryRate"),
                number(retry, "budgetPercent").orElse(STANZA.percent()),
                duration(retry, "budgetInterval"));
    }

    private static final GatewayApi STANZA = GatewayApi.STANZA_DEFAULT;

    private static BudgetSettings gatewayApi(
            JsonObject holder, JsonObject rate, int percent, @Nullable Duration interval) {
        rate.allowOnly(RATE);
        int count = number(rate, "count").orElse(STANZA.minRetryRate().count());
        Duration rateInterval = requireNonNullElse(
                duration(rate, "interval"), STANZA.minRetryRate().interval());
        MinRetryRate floor = validated(holder, STANZA.minRetryRate(), () -> new MinRetryRate(count, rateInterval));
        return validated(
                holder, STANZA, () -> new GatewayApi(percent, requireNonNullElse(interval, STANZA.interval()), floor));
    }

    /** Linkerd's {@code retryBudget}, or null if absent. Omitted fields have Linkerd's defaults. */
    public static @Nullable BudgetSettings ofLinkerd(JsonObject holder) {
        if (!holder.has("retryBudget")) {
            return null;
        }
        JsonObject budget = holder.object("retryBudget");
        budget.allowOnly(LINKERD);
        double ratio = budget.number("retryRatio").orElse(Linkerd.DEFAULT.retryRatio());
        int reserve = number(budget, "minRetriesPerSecond").orElse(Linkerd.DEFAULT.minRetriesPerSecond());
        Duration ttl = requireNonNullElse(goDuration(budget, "ttl"), Linkerd.DEFAULT.ttl());
        return validated(holder, Linkerd.DEFAULT, () -> new Linkerd(ratio, reserve, ttl));
    }
}
