package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.util.List;

/**
 * A Linkerd ServiceProfile. Immutable.
 *
 * @param head its kind and metadata; its name is the host it applies to
 * @param budget the budget of all its routes
 * @param routes in order; the first match applies
 * @param otherwise the policy of requests that match no route, which are not retried
 */
public record ProfileManifest(ManifestHead head, BudgetSettings budget, List<Route> routes, RetryPolicy otherwise) {

    public ProfileManifest {
        routes = List.copyOf(routes);
    }

    /**
     * A route.
     *
     * @param name for people
     * @param condition selects the requests
     * @param policy when they are retried, and how long they may take
     */
    public record Route(String name, RequestCondition condition, RetryPolicy policy) {}

    /** The name of its Service: the first label of the host. */
    public String service() {
        return serviceOf(head.name());
    }

    static String serviceOf(String host) {
        int dot = host.indexOf('.');
        return dot < 0 ? host : host.substring(0, dot);
    }
}
