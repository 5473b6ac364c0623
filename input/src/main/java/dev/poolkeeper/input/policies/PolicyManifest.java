package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A manifest that sets retries for ARM.
 *
 * @param name {@code file: Kind namespace/name}
 * @param order {@code namespace/name}, for ties
 * @param created its {@code creationTimestamp} as RFC 3339, or empty for an object that no API server has seen
 * @param policy when an exchange is retried, or null where it does not say
 * @param budget the budget, or null where it does not say
 */
record PolicyManifest(
        String name,
        String order,
        String created,
        @Nullable RetryPolicy policy,
        @Nullable BudgetSettings budget) {

    /** GEP-713: the oldest wins, then the first by {@code namespace/name}. What has no age is the youngest. */
    static final Comparator<PolicyManifest> PRECEDENCE = Comparator.comparing(
                    (PolicyManifest manifest) -> manifest.created.isEmpty() ? "~" : manifest.created)
            .thenComparing(PolicyManifest::order)
            .thenComparing(PolicyManifest::name);
}
