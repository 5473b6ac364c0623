package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.RetryPolicy;
import java.util.List;

/**
 * An HTTPRoute. Immutable.
 *
 * @param head what it says about itself
 * @param parents what it is attached to
 * @param hostnames for which hosts, {@code *.} in front of one for all below it; none for all
 * @param rules in their order
 */
public record RouteManifest(ManifestHead head, List<BackendRef> parents, List<String> hostnames, List<Rule> rules) {

    public RouteManifest {
        parents = List.copyOf(parents);
        hostnames = List.copyOf(hostnames);
        rules = List.copyOf(rules);
    }

    /**
     * A rule.
     *
     * @param matches one of which has to match; at least one
     * @param backends where requests go
     * @param filters the types of what should happen to requests and answers on the way
     * @param policy when a request is retried, and how long it may take
     */
    public record Rule(List<RouteMatch> matches, List<BackendRef> backends, List<String> filters, RetryPolicy policy) {

        public Rule {
            matches = List.copyOf(matches);
            backends = List.copyOf(backends);
            filters = List.copyOf(filters);
        }
    }
}
