package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Describes policies and budgets in words, for pages and logs; durations are in the manifests' format. */
public final class PolicyWords {

    private static final long MOST_HOURS = 99_999; // the longest duration a manifest can contain

    private PolicyWords() {}

    /** Describes it in one line. */
    public static String of(RetrySettings settings) {
        List<String> parts = new ArrayList<>();
        settings.routes().forEach(route -> parts.add(route.condition() + ": " + of(route.policy())));
        parts.add((parts.isEmpty() ? "" : "otherwise: ") + of(settings.policy()));
        return String.join("; ", parts);
    }

    /** Describes it in one line. */
    public static String of(RetryPolicy policy) {
        String retries = policy.isOn()
                ? retried(policy) + ", " + attempts(policy) + ", "
                        + (policy.backoff().isZero() ? "at once" : "wait " + backoff(policy))
                : "no retries";
        return "%s, time for a request %s, for an attempt %s"
                .formatted(retries, limit(policy.request()), limit(policy.backendRequest()));
    }

    /** The failures that are retried. */
    public static String retried(RetryPolicy policy) {
        if (!policy.isOn()) {
            return "nothing";
        }
        String codes = policy.codes().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return codes.isEmpty() ? "connection errors" : codes + " and connection errors";
    }

    /** The maximum number of retries. */
    public static String attempts(RetryPolicy policy) {
        return policy.attempts() == RetryPolicy.UNLIMITED
                ? "as often as the time and the budget allow"
                : "at most " + (policy.attempts() == 1 ? "once" : policy.attempts() + " times");
    }

    /** The wait before a retry. */
    public static String backoff(RetryPolicy policy) {
        Backoff backoff = Backoff.atLeast(policy.backoff());
        return backoff.initial().isZero()
                ? "none"
                : "at least %s, doubling up to %s, with jitter".formatted(text(backoff.initial()), text(backoff.max()));
    }

    /** A timeout or its absence. */
    public static String limit(Duration timeout) {
        return timeout.isZero() ? "without limit" : text(timeout);
    }

    /** The retries that a budget admits. */
    public static String of(BudgetSettings budget) {
        return switch (budget) {
            case BudgetSettings.GatewayApi gatewayApi ->
                "%s %% of all requests of %s, or %s in %s if that is more"
                        .formatted(
                                gatewayApi.percent(),
                                text(gatewayApi.interval()),
                                gatewayApi.minRetryRate().count(),
                                text(gatewayApi.minRetryRate().interval()));
            case BudgetSettings.Linkerd linkerd ->
                "%s retries per first attempt of %s, plus %s per second"
                        .formatted(text(linkerd.retryRatio()), text(linkerd.ttl()), linkerd.minRetriesPerSecond());
            case BudgetSettings.None none -> "no retries";
            case BudgetSettings.Endless endless -> "none, every retry is admitted";
        };
    }

    private static String text(Duration duration) {
        return duration.toHours() > MOST_HOURS ? duration.toHours() + "h" : GepDuration.format(duration);
    }

    private static String text(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
