package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An XBackendTrafficPolicy or BackendTrafficPolicy. Immutable.
 *
 * @param head its kind and metadata
 * @param targets the backends it applies to, at least one
 * @param budget the budget of their retries; null if not set
 */
public record TrafficManifest(
        ManifestHead head,
        List<BackendRef> targets,
        @Nullable BudgetSettings budget) {

    public TrafficManifest {
        targets = List.copyOf(targets);
    }
}
