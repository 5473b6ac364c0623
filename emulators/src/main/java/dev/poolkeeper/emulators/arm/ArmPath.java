package dev.poolkeeper.emulators.arm;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resource in a URL's path. Names are percent-decoded and keep their spelling; ARM's keywords are case-insensitive.
 */
sealed interface ArmPath {

    /** A tenant's token endpoint. */
    record Token(String tenant) implements ArmPath {}

    /** The metadata of an authority, which clients read before requesting tokens. */
    record Metadata(String tenant) implements ArmPath {}

    /** The keys that sign a tenant's tokens. */
    record Keys(String tenant) implements ArmPath {}

    /** The clouds and their endpoints. */
    record Endpoints() implements ArmPath {}

    /** A resource in a subscription. */
    sealed interface InSubscription extends ArmPath {
        String subscription();
    }

    /** A resource in a resource group. */
    sealed interface InResourceGroup extends InSubscription {
        String resourceGroup();
    }

    /** The load balancers of a resource group, or of the whole subscription if that is null. */
    record LoadBalancers(String subscription, @Nullable String inResourceGroup) implements InSubscription {}

    record LoadBalancer(String subscription, String resourceGroup, String loadBalancer) implements InResourceGroup {}

    record Pools(String subscription, String resourceGroup, String loadBalancer) implements InResourceGroup {}

    record Pool(String subscription, String resourceGroup, String loadBalancer, String pool)
            implements InResourceGroup {}

    /** The state of a long-running operation; {@code result} if it is the target of {@code Location}. */
    record OperationState(String subscription, String id, boolean result) implements InSubscription {}

    /** The caller's permissions on a resource group, or on any resource in it. */
    record Permissions(String subscription, String resourceGroup) implements InResourceGroup {}

    /** A path that is not emulated. */
    record Unknown(String path) implements ArmPath {}

    static ArmPath parse(String rawPath) {
        List<String> names = new ArrayList<>();
        for (String segment : rawPath.split("/", -1)) {
            if (!segment.isEmpty()) {
                String name = decode(segment);
                if (name == null || name.isBlank()) {
                    return new Unknown(rawPath);
                }
                names.add(name);
            }
        }
        ArmPath path = parse(names);
        return path == null ? new Unknown(rawPath) : path;
    }

    private static @Nullable ArmPath parse(List<String> names) {
        if (fits(names, "*", "oauth2", "v2.0", "token")) {
            return new Token(names.get(0));
        }
        if (fits(names, "*", "v2.0", ".well-known", "openid-configuration")
                || fits(names, "*", "discovery", "instance")) {
            return new Metadata(names.get(0));
        }
        if (fits(names, "*", "discovery", "v2.0", "keys")) {
            return new Keys(names.get(0));
        }
        if (fits(names, "metadata", "endpoints")) {
            return new Endpoints();
        }
        if (fits(names, "subscriptions", "*", "providers", "microsoft.network", "loadbalancers")) {
            return new LoadBalancers(names.get(1), null);
        }
        if (fits(names, "subscriptions", "*", "providers", "microsoft.network", "locations", "*", "operations", "*")) {
            return new OperationState(names.get(1), names.get(7), false);
        }
        if (fits(
                names,
                "subscriptions",
                "*",
                "providers",
                "microsoft.network",
                "locations",
                "*",
                "operationresults",
                "*")) {
            return new OperationState(names.get(1), names.get(7), true);
        }
        return parseResource(names);
    }

    private static @Nullable ArmPath parseResource(List<String> names) {
        if (arePermissions(names)) {
            return new Permissions(names.get(1), names.get(3));
        }
        List<String> head = names.subList(0, Math.min(7, names.size()));
        if (!fits(
                head, "subscriptions", "*", "resourcegroups", "*", "providers", "microsoft.network", "loadbalancers")) {
            return null;
        }
        String subscription = names.get(1);
        String resourceGroup = names.get(3);
        if (names.size() == 7) {
            return new LoadBalancers(subscription, resourceGroup);
        }
        if (names.size() == 8) {
            return new LoadBalancer(subscription, resourceGroup, names.get(7));
        }
        if (!names.get(8).equalsIgnoreCase("backendAddressPools") || names.size() > 10) {
            return null;
        }
        return names.size() == 9
                ? new Pools(subscription, resourceGroup, names.get(7))
                : new Pool(subscription, resourceGroup, names.get(7), names.get(9));
    }

    /**
     * Matches permissions of a resource group, or of a resource, preceded by its provider, type and name; types may be
     * nested.
     */
    private static boolean arePermissions(List<String> names) {
        int own = names.size() - 3;
        return own >= 4
                && fits(names.subList(0, 4), "subscriptions", "*", "resourcegroups", "*")
                && fits(names.subList(own, names.size()), "providers", "microsoft.authorization", "permissions")
                && (own == 4 || own >= 8 && own % 2 == 0 && names.get(4).equalsIgnoreCase("providers"));
    }

    private static boolean fits(List<String> names, String... pattern) {
        if (names.size() != pattern.length) {
            return false;
        }
        for (int i = 0; i < pattern.length; i++) {
            if (!pattern[i].equals("*") && !pattern[i].equalsIgnoreCase(names.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable String decode(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8); // in a path, + is literal
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
