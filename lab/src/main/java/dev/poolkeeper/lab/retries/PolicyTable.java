package dev.poolkeeper.lab.retries;

import dev.poolkeeper.input.policies.PolicyWords;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.ArrayList;
import java.util.List;

/** A policy and its budget in words, one setting per row. */
final class PolicyTable {

    private PolicyTable() {}

    /** The header and a row for each setting. */
    static List<List<String>> rows(RetrySettings settings) {
        RetryPolicy policy = settings.policy();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SETTING", "VALUE"));
        rows.add(List.of("retried", PolicyWords.retried(policy)));
        if (policy.isOn()) {
            rows.add(List.of("retries of a request", PolicyWords.attempts(policy)));
            rows.add(List.of("wait before a retry", PolicyWords.backoff(policy)));
        }
        rows.add(List.of("timeout of a request, including retries", PolicyWords.limit(policy.request())));
        rows.add(List.of("timeout of an attempt", PolicyWords.limit(policy.backendRequest())));
        rows.add(List.of("retry budget", PolicyWords.of(settings.budget())));
        return rows;
    }
}
