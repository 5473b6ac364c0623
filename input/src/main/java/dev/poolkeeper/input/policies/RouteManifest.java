package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.RetryPolicy;
import java.util.List;

/**
 * An HTTPRoute. Immutable.
 *
 * @param head its kind and metadata
 * @param parents the objects it is attached to
 * @param hostnames the hosts it applies to; {@code *.} matches all subdomains; empty for all hosts
 * @param rules in order
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
     * @param matches at least one; a request must match one of them
     * @param backends the backends of the requests
     * @param filters the types of the rule's filters
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
