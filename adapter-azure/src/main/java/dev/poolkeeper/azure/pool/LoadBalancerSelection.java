package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects the load balancers in the resource group that belong to this cluster. Pools of others are not listed, read or
 * written, so that two clusters can share a resource group. Immutable.
 *
 * <p>Source: the cloud provider's {@code multipleStandardLoadBalancerConfigurations}, whose load balancers come in
 * pairs: one with the configured name for external Services, and one with the suffix {@code -internal} for internal
 * ones.
 */
public sealed interface LoadBalancerSelection {

    /** The suffix of an internal load balancer's name after that of its external counterpart. */
    String INTERNAL_SUFFIX = "-internal";

    /** A description for logs and status pages, as in "this daemon serves …". */
    String describe();

    /** All load balancers of the resource group, for a resource group with only one cluster. */
    record All() implements LoadBalancerSelection {
        @Override
        public String describe() {
            return "all load balancers of the resource group";
        }
    }

    /**
     * The load balancers with these names.
     *
     * @param names the names, including internal counterparts; not empty
     */
    record Named(Set<ArmName> names) implements LoadBalancerSelection {

        /** @throws IllegalArgumentException if there is no name */
        public Named {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("no load balancer is named, at least one is required");
            }
            names = Set.copyOf(names);
        }

        @Override
        public String describe() {
            return names.stream()
                    .sorted()
                    .map(ArmName::toString)
                    .collect(Collectors.joining(", ", "load balancers ", ""));
        }
    }

    /**
     * The load balancers with this tag.
     *
     * @param name the tag's name, case-insensitive as in ARM; not blank
     * @param value the tag's value, case-sensitive as in ARM; may be empty
     */
    record Tagged(String name, String value) implements LoadBalancerSelection {

        /** @throws IllegalArgumentException if the tag's name is blank */
        public Tagged {
            if (name.isBlank()) {
                throw new IllegalArgumentException("the name of the load balancers' tag must not be blank");
            }
        }

        @Override
        public String describe() {
            return "load balancers with tag %s=%s".formatted(name, value);
        }
    }

    /** All load balancers of the resource group. */
    static LoadBalancerSelection all() {
        return new All();
    }

    /**
     * The load balancers with these names and their {@code -internal} counterparts.
     *
     * @throws IllegalArgumentException if there is no name or one is blank
     */
    static LoadBalancerSelection named(Collection<String> names) {
        Set<ArmName> all = new LinkedHashSet<>();
        for (String name : names) {
            all.add(ArmName.of(name));
            all.add(ArmName.of(name + INTERNAL_SUFFIX));
        }
        return new Named(all);
    }

    /**
     * The load balancers with this tag.
     *
     * @throws IllegalArgumentException if the tag's name is blank
     */
    static LoadBalancerSelection tagged(String name, String value) {
        return new Tagged(name, value);
    }
}
