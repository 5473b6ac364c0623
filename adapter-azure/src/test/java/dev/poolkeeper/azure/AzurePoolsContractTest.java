package dev.poolkeeper.azure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.contract.BackendPoolsContract;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract over the wire, against a minimal ARM: pools with ETags, and operations that end immediately. */
class AzurePoolsContractTest implements BackendPoolsContract {

    private static final Pattern POOL_PATH = Pattern.compile(".*/loadBalancers/([^/]+)/backendAddressPools/([^/]+)");

    private final Map<PoolKey, ObjectNode> stored = new ConcurrentHashMap<>();
    private final AtomicInteger versions = new AtomicInteger();
    private ArmHarness harness;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        harness.arm.otherwise(this::answer);
        pools = harness.pools();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @Override
    public BackendPools pools() {
        return pools;
    }

    @Override
    public PoolDirectory directory() {
        return pools;
    }

    @Override
    public void given(PoolKey pool, AddressSet addresses) {
        ArrayNode entries = JsonNodeFactory.instance.arrayNode();
        addresses.forEach(address -> entries.addObject()
                .put("name", "n-" + address)
                .putObject("properties")
                .put("ipAddress", address.toString()));
        store(pool, entries);
    }

    @Override
    public void givenNo(PoolKey pool) {
        stored.remove(pool);
    }

    private void store(PoolKey key, JsonNode entries) {
        ObjectNode pool = JsonNodeFactory.instance
                .objectNode()
                .put("name", key.pool().toString())
                .put(
                        "id",
                        Bodies.poolPath(
                                key.loadBalancer().toString(), key.pool().toString()))
                .put("etag", "W/\"%d\"".formatted(versions.incrementAndGet()));
        pool.putObject("properties").put("provisioningState", "Succeeded").set("loadBalancerBackendAddresses", entries);
        stored.put(key, pool);
    }

    private ScriptedArm.Answer answer(ScriptedArm.Asked asked) {
        if (asked.path().endsWith("/operations/1")) {
            return ScriptedArm.answer(200, "{\"status\": \"Succeeded\"}");
        }
        Matcher path = POOL_PATH.matcher(asked.path());
        if (!path.matches()) {
            return ScriptedArm.answer(200, list());
        }
        PoolKey asks = PoolKey.of(path.group(1), path.group(2));
        PoolKey key = stored.keySet().stream().filter(asks::equals).findFirst().orElse(asks);
        ObjectNode pool = stored.get(key);
        if (pool == null) {
            return ScriptedArm.answer(404, Bodies.error("NotFound", "not there"));
        }
        if (asked.method().equals("GET")) {
            return ScriptedArm.answer(200, pool.toString());
        }
        if (!asked.header("If-Match").equals(pool.get("etag").asText())) {
            return ScriptedArm.answer(412, Bodies.error("PreconditionFailed", "changed"));
        }
        try {
            store(key, JsonMutator.JSON.readTree(asked.body()).at("/properties/loadBalancerBackendAddresses"));
        } catch (IOException e) {
            return ScriptedArm.answer(400, Bodies.error("InvalidRequestContent", "no JSON"));
        }
        return ScriptedArm.answer(
                201,
                stored.get(key).toString().replace("Succeeded", "Updating"),
                "Azure-AsyncOperation",
                harness.arm.address() + "/subscriptions/s/providers/Microsoft.Network/operations/1?api-version=1");
    }

    private String list() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ArrayNode loadBalancers = body.putArray("value");
        stored.forEach((key, pool) -> loadBalancers
                .addObject()
                .put("name", key.loadBalancer().toString())
                .putObject("properties")
                .putArray("backendAddressPools")
                .add(pool));
        return body.toString();
    }
}
