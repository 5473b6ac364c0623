package dev.poolkeeper.azure;

import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * From ARM's bodies to pools. A body that is not whole, not of the right shape, about another pool, or that the SDK's
 * model does not hold whole is no pool.
 */
final class PoolReader {

    private static final Pattern ID =
            Pattern.compile("(?i).*/loadBalancers/([^/]+)/backendAddressPools/([^/]+)/?", Pattern.DOTALL);

    private PoolReader() {}

    /**
     * The pool in the answer to a GET or PUT of it, ready to be written back.
     *
     * @param asked the pool that the request was about
     * @throws UnfitAnswerException if the answer does not tell faithfully what the pool is
     */
    static BackendPool read(PoolKey asked, Answered<BackendAddressPoolInner> answered) throws UnfitAnswerException {
        Map<?, ?> body = Json.object(answered.answer().body());
        Map<?, ?> writable = WritableFields.of(body);
        BackendPool pool = pool(asked.loadBalancer(), body, answered.answer().header("ETag"));
        if (!pool.key().equals(asked)) {
            throw new UnfitAnswerException("the body is about " + pool.key() + " and not about " + asked);
        }
        BackendAddressPoolInner model = answered.value();
        if (model == null) {
            throw new UnfitAnswerException(FailureMapping.misunderstood(answered.error()));
        }
        if (!writable.equals(WritableFields.of(Json.object(Json.text(model).getBytes(StandardCharsets.UTF_8))))) {
            throw new UnfitAnswerException("the SDK does not keep every writable field of the body");
        }
        Map<?, ?> properties = properties(body);
        WriteRefusal refusal = WriteRefusal.of(properties);
        if (!(properties.get("loadBalancerBackendAddresses") instanceof List<?>)
                && refusal.asOptional().isEmpty()) {
            throw new UnfitAnswerException("properties.loadBalancerBackendAddresses is missing");
        }
        return new BackendPool(pool.key(), pool.addresses(), pool.etag(), new PoolSource(model, refusal));
    }

    /**
     * This cluster's load balancers on a page. What others hold is not looked at.
     *
     * @throws UnfitAnswerException if the page does not tell faithfully which pools there are
     */
    static List<ListedLoadBalancer> list(byte[] body, ClusterLoadBalancers ours) throws UnfitAnswerException {
        if (!(Json.object(body).get("value") instanceof List<?> loadBalancers)) {
            throw new UnfitAnswerException("value is no array of load balancers");
        }
        List<ListedLoadBalancer> listed = new ArrayList<>();
        for (Object entry : loadBalancers) {
            Map<?, ?> loadBalancer = object("a load balancer", entry);
            ArmName name = name(loadBalancer, "a load balancer");
            Object tags = loadBalancer.get("tags");
            if (ours.isSelected(name, tags == null ? Map.of() : object("tags of load balancer " + name, tags))) {
                listed.add(new ListedLoadBalancer(name, pools(name, loadBalancer)));
            }
        }
        return listed;
    }

    private static List<BackendPool> pools(ArmName name, Map<?, ?> loadBalancer) throws UnfitAnswerException {
        if (!(properties(loadBalancer).get("backendAddressPools") instanceof List<?> embedded)) {
            throw new UnfitAnswerException("load balancer " + name + " has no array backendAddressPools");
        }
        List<BackendPool> pools = new ArrayList<>();
        for (Object entry : embedded) {
            Map<?, ?> fields = object("a pool of load balancer " + name, entry);
            WritableFields.of(fields);
            BackendPool pool = pool(name, fields, null);
            if (!pool.key().loadBalancer().equals(name)) {
                throw new UnfitAnswerException("load balancer " + name + " lists pool " + pool.key());
            }
            pools.add(pool);
        }
        return pools;
    }

    private static BackendPool pool(ArmName loadBalancer, Map<?, ?> body, @Nullable String etagHeader)
            throws UnfitAnswerException {
        PoolKey key = new PoolKey(loadBalancer, name(body, "the pool"));
        if (body.get("id") instanceof String id) {
            Matcher parts = ID.matcher(id);
            if (!parts.matches() || !ArmName.of(parts.group(2)).equals(key.pool())) {
                throw new UnfitAnswerException("the id of pool " + key + " names something else: " + id);
            }
            key = new PoolKey(ArmName.of(parts.group(1)), key.pool());
        }
        Object etag = body.get("etag") == null ? etagHeader : body.get("etag");
        if (etag != null && !(etag instanceof String text && !text.isBlank())) {
            throw new UnfitAnswerException("the etag of pool " + key + " is no text");
        }
        return new BackendPool(key, addresses(key, properties(body)), (String) etag, null);
    }

    private static AddressSet addresses(PoolKey key, Map<?, ?> properties) throws UnfitAnswerException {
        List<IpAddress> addresses = new ArrayList<>();
        if (properties.get("loadBalancerBackendAddresses") instanceof List<?> entries) {
            for (Object entry : entries) {
                String text = ipAddress(entry);
                if (text != null) {
                    addresses.add(IpAddress.parse(text)
                            .orElseThrow(() -> new UnfitAnswerException(
                                    "pool %s holds \"%s\", which is no IP address".formatted(key, text))));
                }
            }
        }
        return AddressSet.of(addresses);
    }

    /** An entry's address; null where it has none, as an entry for a network interface. */
    static @Nullable String ipAddress(@Nullable Object entry) {
        return entry instanceof Map<?, ?> map
                        && map.get("properties") instanceof Map<?, ?> properties
                        && properties.get("ipAddress") instanceof String text
                        && !text.isEmpty()
                ? text
                : null;
    }

    private static ArmName name(Map<?, ?> resource, String what) throws UnfitAnswerException {
        if (resource.get("name") instanceof String name && !name.isBlank()) {
            return ArmName.of(name);
        }
        throw new UnfitAnswerException(what + " has no name");
    }

    private static Map<?, ?> properties(Map<?, ?> resource) throws UnfitAnswerException {
        return object("properties", resource.get("properties"));
    }

    private static Map<?, ?> object(String what, @Nullable Object value) throws UnfitAnswerException {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new UnfitAnswerException(what + " is no object");
    }
}
