package dev.poolkeeper.lab.retries;

import dev.poolkeeper.input.policies.GepDuration;
import dev.poolkeeper.ports.retry.Backoff;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A policy and its budget in words, a setting a row. */
final class PolicyTable {

    private PolicyTable() {}

    /** The head and a row for each setting. */
    static List<List<String>> rows(RetrySettings settings) {
        RetryPolicy policy = settings.policy();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SETTING", "VALUE"));
        rows.add(List.of("retried", retried(policy)));
        if (policy.isOn()) {
            rows.add(List.of("retries of a request", attempts(policy)));
            rows.add(List.of("wait before a retry", backoff(policy.backoff())));
        }
        rows.add(List.of("time for a request, with its retries", limit(policy.request())));
        rows.add(List.of("time for an attempt", limit(policy.backendRequest())));
        rows.add(List.of("retry budget", budget(settings.budget())));
        return rows;
    }

    private static String retried(RetryPolicy policy) {
        if (!policy.isOn()) {
            return "nothing";
        }
        String codes = policy.codes().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return codes.isEmpty() ? "connection errors" : codes + " and connection errors";
    }

    private static String attempts(RetryPolicy policy) {
        return policy.attempts() == RetryPolicy.UNLIMITED
                ? "as many as the time and the budget allow"
                : "at most " + policy.attempts();
    }

    private static String backoff(Duration least) {
        return least.isZero()
                ? "none"
                : "at least %s, doubling up to %s, with jitter"
                        .formatted(
                                GepDuration.format(least),
                                GepDuration.format(Backoff.atLeast(least).max()));
    }

    private static String limit(Duration limit) {
        return limit.isZero() ? "no limit" : GepDuration.format(limit);
    }

    private static String budget(BudgetSettings budget) {
        return switch (budget) {
            case BudgetSettings.GatewayApi(int percent, Duration interval, BudgetSettings.MinRetryRate floor) ->
                "%d %% of all requests of %s, or %d in %s where that is more"
                        .formatted(
                                percent,
                                GepDuration.format(interval),
                                floor.count(),
                                GepDuration.format(floor.interval()));
            case BudgetSettings.Linkerd(double ratio, int reserve, Duration ttl) ->
                String.format(
                        Locale.ROOT,
                        "%s retries to each first attempt of %s, and %d a second on top",
                        SvgChart.number(ratio),
                        GepDuration.format(ttl),
                        reserve);
            case BudgetSettings.Envoy(double percent, int least) ->
                String.format(
                        Locale.ROOT,
                        "%s %% of the requests in progress, or %d where that is more",
                        SvgChart.number(percent),
                        least);
            case BudgetSettings.None() -> "no retries";
            case BudgetSettings.Endless() -> "none, every retry is admitted";
        };
    }
}
