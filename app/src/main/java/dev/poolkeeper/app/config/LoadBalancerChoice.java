package dev.poolkeeper.app.config;

import java.util.List;

/** Which load balancers of the resource group are this cluster's. */
public sealed interface LoadBalancerChoice {

    /** All of them. */
    record Every() implements LoadBalancerChoice {}

    /**
     * Those with one of some names, and their {@code -internal} twins.
     *
     * @param names as configured, at least one; case does not matter
     */
    record Named(List<String> names) implements LoadBalancerChoice {
        public Named {
            names = List.copyOf(names);
        }
    }

    /**
     * Those that carry a tag.
     *
     * @param name the tag's name; to Azure its case does not matter
     * @param value the tag's value
     */
    record Tagged(String name, String value) implements LoadBalancerChoice {}
}
