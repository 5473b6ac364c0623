package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.InvalidAnswerException;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parses pools from ARM's bodies. Rejects a body that is incomplete, has the wrong structure, or contains another pool.
 */
final class PoolReader {

    private static final String ENTRIES = "loadBalancerBackendAddresses";

    private PoolReader() {}

    /**
     * Parses the pool in the response to a GET or PUT, so that it can be written back.
     *
     * @param asked the requested pool
     * @throws InvalidAnswerException if the response is not a valid pool
     */
    static BackendPool read(PoolKey asked, ArmAnswer answer) throws InvalidAnswerException {
        Map<?, ?> body = answer.resource();
        PoolKey key = key(asked.loadBalancer(), body);
        if (!key.equals(asked)) {
            throw new InvalidAnswerException("the body contains " + key + " instead of " + asked);
        }
        Map<?, ?> properties = properties(body);
        BackendPool pool = pool(key, properties, etag(key, body, answer.header("ETag")), body);
        if (properties.get(ENTRIES) == null && pool.unwritable().isEmpty()) {
            throw new InvalidAnswerException("properties.loadBalancerBackendAddresses is missing");
        }
        return pool;
    }

    /**
     * Parses a load balancer in a list; empty, without further checks, if it is not one of ours. Its pools cannot be
     * written. What cannot be read is kept separately, so that it affects no other load balancer or pool.
     */
    static Optional<ListedElement> listed(@Nullable Object element, ClusterLoadBalancers ours) {
        ArmName name = null;
        try {
            Map<?, ?> loadBalancer = object("an element", element);
            name = name(loadBalancer, "a load balancer");
            return ours.isSelected(name, loadBalancer.get("tags"))
                    ? Optional.of(listed(name, properties(loadBalancer)))
                    : Optional.empty();
        } catch (InvalidAnswerException e) {
            return Optional.of(new Unreadable(name, null, e.reason()));
        }
    }

    private static ListedLoadBalancer listed(ArmName name, Map<?, ?> properties) throws InvalidAnswerException {
        if (!(properties.get("backendAddressPools") instanceof List<?> embedded)) {
            throw new InvalidAnswerException("it has no array backendAddressPools");
        }
        ListedLoadBalancer listed = new ListedLoadBalancer(name);
        for (Object entry : embedded) {
            PoolKey key = null;
            try {
                Map<?, ?> fields = object("a pool", entry);
                key = listedKey(name, fields);
                BackendPool pool = pool(key, properties(fields), etag(key, fields, null), null);
                listed.add(pool);
                if (pool.unwritable().isEmpty()) {
                    listed.addNetworks(VirtualNetworks.in(properties(fields)));
                }
            } catch (InvalidAnswerException e) {
                listed.add(new Unreadable(name, key == null ? null : key.pool(), e.reason()));
            }
        }
        return listed;
    }

    private static PoolKey listedKey(ArmName loadBalancer, Map<?, ?> fields) throws InvalidAnswerException {
        PoolKey key = key(loadBalancer, fields);
        if (!key.loadBalancer().equals(loadBalancer)) {
            throw new InvalidAnswerException("the load balancer lists pool " + key);
        }
        return key;
    }

    private static BackendPool pool(
            PoolKey key, Map<?, ?> properties, @Nullable String etag, @Nullable Map<?, ?> source)
            throws InvalidAnswerException {
        return new BackendPool(
                key,
                addresses(key, properties),
                etag,
                source,
                ProvisioningState.of(properties.get("provisioningState") instanceof String state ? state : null),
                WriteRefusal.of(properties));
    }

    private static PoolKey key(ArmName loadBalancer, Map<?, ?> body) throws InvalidAnswerException {
        PoolKey key = new PoolKey(loadBalancer, name(body, "the pool"));
        if (!(body.get("id") instanceof String id)) {
            return key;
        }
        String[] parts = id.split("/"); // ends with …/loadBalancers/<name>/backendAddressPools/<name>
        int names = parts.length - 4;
        if (names < 1
                || !parts[names].equalsIgnoreCase("loadBalancers")
                || parts[names + 1].isBlank()
                || !parts[names + 2].equalsIgnoreCase("backendAddressPools")
                || !parts[names + 3].equalsIgnoreCase(key.pool().toString())) {
            throw new InvalidAnswerException("the id of pool " + key + " belongs to another resource: " + id);
        }
        return new PoolKey(ArmName.of(parts[names + 1]), key.pool());
    }

    private static @Nullable String etag(PoolKey key, Map<?, ?> body, @Nullable String header)
            throws InvalidAnswerException {
        Object etag = body.get("etag");
        if (etag != null && !(etag instanceof String)) {
            throw new InvalidAnswerException("the etag of pool " + key + " is not a string");
        }
        return etag instanceof String text && !text.isBlank()
                ? text
                : header == null || header.isBlank() ? null : header;
    }

    private static AddressSet addresses(PoolKey key, Map<?, ?> properties) throws InvalidAnswerException {
        List<IpAddress> addresses = new ArrayList<>();
        for (Object entry : entries(properties)) {
            Map<?, ?> fields = object("an entry of pool " + key, entry);
            requireText(key, "name", fields.get("name"));
            requireText(key, "ipAddress", addressField(fields));
            String text = ipAddress(entry);
            if (text != null) {
                addresses.add(IpAddress.parse(text)
                        .orElseThrow(() -> new InvalidAnswerException(
                                "pool %s holds \"%s\", which is not an IP address".formatted(key, text))));
            }
        }
        return AddressSet.of(addresses);
    }

    private static void requireText(PoolKey key, String field, @Nullable Object value) throws InvalidAnswerException {
        if (value != null && !(value instanceof String)) {
            throw new InvalidAnswerException("the %s of an entry of pool %s is not a string".formatted(field, key));
        }
    }

    private static List<?> entries(Map<?, ?> properties) throws InvalidAnswerException {
        Object entries = properties.get(ENTRIES);
        if (entries == null) {
            return List.of();
        }
        if (entries instanceof List<?> list) {
            return list;
        }
        throw new InvalidAnswerException(ENTRIES + " is not an array");
    }

    private static @Nullable Object addressField(Map<?, ?> entry) throws InvalidAnswerException {
        Object properties = entry.get("properties");
        return properties == null
                ? null
                : object("properties of an entry", properties).get("ipAddress");
    }

    /** An entry's address; null if it has none, as in an entry for a network interface. */
    static @Nullable String ipAddress(@Nullable Object entry) {
        return entry instanceof Map<?, ?> map
                        && map.get("properties") instanceof Map<?, ?> properties
                        && properties.get("ipAddress") instanceof String text
                        && !text.isEmpty()
                ? text
                : null;
    }

    private static ArmName name(Map<?, ?> resource, String what) throws InvalidAnswerException {
        if (resource.get("name") instanceof String name && !name.isBlank()) {
            return ArmName.of(name);
        }
        throw new InvalidAnswerException(what + " has no name");
    }

    private static Map<?, ?> properties(Map<?, ?> resource) throws InvalidAnswerException {
        return object("properties", resource.get("properties"));
    }

    private static Map<?, ?> object(String what, @Nullable Object value) throws InvalidAnswerException {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new InvalidAnswerException(what + " is not an object");
    }
}
