package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An XBackendTrafficPolicy or BackendTrafficPolicy. Immutable.
 *
 * @param head what it says about itself
 * @param targets the backends that it is for, at least one
 * @param budget the budget of their retries, or null where it does not say
 */
public record TrafficManifest(
        ManifestHead head,
        List<BackendRef> targets,
        @Nullable BudgetSettings budget) {

    public TrafficManifest {
        targets = List.copyOf(targets);
    }
}
