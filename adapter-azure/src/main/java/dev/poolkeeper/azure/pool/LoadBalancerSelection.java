package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.ArmName;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which load balancers of the resource group belong to this cluster. Pools of others are neither listed nor read nor
 * written, so that two clusters in one resource group leave each other alone. Immutable.
 *
 * <p>Source: the cloud provider's {@code multipleStandardLoadBalancerConfigurations}, whose load balancers come in
 * twos: one of the configured name for external Services, one with {@code -internal} behind it for internal ones.
 */
public sealed interface LoadBalancerSelection {

    /** What an internal load balancer is called after its external twin. */
    String INTERNAL_SUFFIX = "-internal";

    /** For a log or a status page, as in "this daemon serves …". */
    String describe();

    /** Every load balancer of the resource group: for a resource group of one cluster only. */
    record All() implements LoadBalancerSelection {
        @Override
        public String describe() {
            return "every load balancer of the resource group";
        }
    }

    /**
     * Those of these names and no other.
     *
     * @param names the names, internal twins included; not empty
     */
    record Named(Set<ArmName> names) implements LoadBalancerSelection {

        /** @throws IllegalArgumentException if there is no name */
        public Named {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("no load balancer is named, at least one must be");
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
     * Those that carry this tag.
     *
     * @param name the tag's name, compared without regard to case as ARM does; not blank
     * @param value the tag's value, compared to the letter as ARM does; may be empty
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

    /** Every load balancer of the resource group. */
    static LoadBalancerSelection all() {
        return new All();
    }

    /**
     * Those of these names, and the {@code -internal} twin of each.
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
     * Those that carry this tag.
     *
     * @throws IllegalArgumentException if the tag's name is blank
     */
    static LoadBalancerSelection tagged(String name, String value) {
        return new Tagged(name, value);
    }
}
