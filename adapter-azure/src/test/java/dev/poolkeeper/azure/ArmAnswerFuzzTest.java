package dev.poolkeeper.azure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.azure.MemoryArm.Canned;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * 10,000 responses of ARM, changed at random: each becomes a faithful pool or a failure. A case is its seed; the
 * message contains the seed of a failing one, and {@link #theCase} runs it again.
 */
class ArmAnswerFuzzTest {

    private static final int CASES = 10_000;
    private static final URI ENDPOINT = URI.create("https://localhost:1");
    private static final String OPERATION =
            ENDPOINT + "/subscriptions/s/providers/Microsoft.Network/operations/1?s=sig";
    private static final List<String> POOLS = List.of(
            Bodies.everything(),
            Bodies.everything(),
            Bodies.pool("10.0.0.4", "10.0.0.5"),
            Bodies.poolIn("Succeeded", "\"syncMode\": \"Automatic\",", "10.0.0.4"),
            named("pool-example.json"),
            named("pool-of-network-interfaces-example.json"),
            named("pool-recorded-succeeded.json"));
    private static final List<String> ERRORS = List.of(
            resource("error-recorded-notfound.json"),
            resource("error-recorded-resourcegroupnotfound.json"),
            Bodies.error("PreconditionFailed", "Precondition failed."),
            "{\"Error\": {\"code\": \"RetryableError\", \"message\": \"m\", \"details\": [{\"code\":"
                    + " \"RetryableErrorDueToAnotherOperation\", \"message\": \"busy\"}]}}");
    private static final int[] STATUSES = {400, 401, 403, 404, 404, 408, 409, 409, 412, 412, 429, 429, 500, 502, 503};

    /** The writable leaf fields and their paths, independent of the adapter's own list. */
    private static final List<String> POOL_LEAVES = List.of(
            "/id",
            "/name",
            "/properties/location",
            "/properties/drainPeriodInSeconds",
            "/properties/virtualNetwork/id",
            "/properties/syncMode");

    private static final List<String> ENTRY_LEAVES = List.of(
            "/name",
            "/properties/ipAddress",
            "/properties/virtualNetwork/id",
            "/properties/subnet/id",
            "/properties/loadBalancerFrontendIPConfiguration/id",
            "/properties/adminState");
    private static final List<String> TUNNEL_LEAVES = List.of("/port", "/identifier", "/protocol", "/type");

    /** As lenient as the SDK's parser, which accepts control characters in strings. */
    private static final JsonMapper LENIENT = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build();

    private final MemoryArm arm = new MemoryArm();
    private final FakeTime time = new FakeTime();
    private final Map<String, Integer> ends = new TreeMap<>();
    private int json;
    private int written;

    @Test
    @Timeout(120)
    void every_response_becomes_a_faithful_pool_or_a_failure() {
        for (int seed = 0; seed < CASES; seed++) {
            try {
                theCase(seed);
            } catch (AssertionError | Exception e) {
                throw new AssertionError("case " + seed, e);
            }
        }
        System.out.printf(
                "fuzzed answers: %d, of them JSON %d, written back %d, ends %s%n", CASES, json, written, ends);
        assertThat(json).isGreaterThanOrEqualTo(CASES * 6 / 10);
        assertThat(written).isGreaterThan(500);
        assertThat(ends.keySet())
                .contains(
                        "Ok",
                        "NotFound",
                        "Throttled",
                        "Conflict",
                        "PreconditionFailed",
                        "HttpError",
                        "Cancelled",
                        "Other, retriable",
                        "Other, terminal");
    }

    private void theCase(int seed) throws IOException {
        Random random = new Random(seed);
        JsonMutator mutator = new JsonMutator(random);
        AzurePools pools = AzurePools.builder(
                        AzureSettings.of(
                                AzureCloud.at(ENDPOINT, ENDPOINT), AzureScope.of(Bodies.SUBSCRIPTION, Bodies.GROUP)),
                        ArmHarness.TOKEN,
                        arm,
                        time)
                .nodeNames(address -> Optional.of("node"))
                .build();
        String pool = POOLS.get(random.nextInt(POOLS.size()));
        Canned good = Canned.of(200, Bodies.pool("10.0.0.4"));
        Canned accepted = new Canned(
                201,
                Bodies.poolIn("Updating", "").getBytes(StandardCharsets.UTF_8),
                Map.of("Azure-AsyncOperation", OPERATION));
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> read(pools, mutated(random, mutator, 200, pool));
            case 3 -> list(pools, mutated(random, mutator, 200, listing(pool)));
            case 4 -> write(pools, good, mutated(random, mutator, random.nextBoolean() ? 200 : 201, pool), good);
            case 5 -> {
                String state = random.nextBoolean() ? "Failed" : random.nextBoolean() ? "Canceled" : "InProgress";
                String document = "{\"status\": \"" + state + "\", "
                        + ERRORS.get(random.nextInt(ERRORS.size())).strip().substring(1);
                write(pools, good, accepted, mutated(random, mutator, 200, document));
            }
            case 6 ->
                write(
                        pools,
                        good,
                        accepted,
                        Canned.of(200, "{\"status\": \"Succeeded\"}"),
                        mutated(random, mutator, 200, pool));
            default -> {
                Canned error = mutated(
                        random,
                        mutator,
                        STATUSES[random.nextInt(STATUSES.length)],
                        ERRORS.get(random.nextInt(ERRORS.size())));
                if (random.nextBoolean()) {
                    read(pools, error);
                } else {
                    write(pools, good, error);
                }
            }
        }
    }

    private Canned mutated(Random random, JsonMutator mutator, int status, String body) throws IOException {
        byte[] bytes = mutator.mutate(body);
        json += isJson(bytes) ? 1 : 0;
        Map<String, String> headers = switch (random.nextInt(8)) {
            case 0 ->
                Map.of(
                        "Retry-After",
                        List.of("7", "-1", "1.5", "soon", "9999999999999999999", "86400")
                                .get(random.nextInt(6)));
            case 1 -> Map.of("Azure-AsyncOperation", random.nextBoolean() ? OPERATION : "nowhere");
            case 2 -> Map.of("ETag", "W/\"another\"", "x-ms-request-id", "r");
            default -> Map.of();
        };
        return new Canned(status, random.nextInt(40) == 0 ? null : bytes, headers);
    }

    private static boolean isJson(byte[] bytes) {
        try {
            return !JsonMutator.JSON.readTree(bytes).isMissingNode();
        } catch (IOException e) {
            return false;
        }
    }

    private void read(AzurePools pools, Canned answer) throws IOException {
        arm.script(answer);
        if (!(end(pools.read(ArmHarness.SHOP_WEB)) instanceof BackendPool pool)) {
            return;
        }
        JsonNode sent = LENIENT.readTree(Objects.requireNonNull(answer.body()));
        assertThat(pool.addresses()).isEqualTo(addresses(sent));
        // writing it back with one more address loses no field
        arm.script(Canned.of(200, Bodies.pool("10.0.0.4")));
        Reply<BackendPool> reply = pools.write(pool, pool.addresses().union(AddressSet.of("10.9.9.9")));
        byte[] put = arm.lastPut();
        if (put == null) {
            assertThat(ArmHarness.failure(reply)).isInstanceOf(Failure.Other.class);
            return;
        }
        written++;
        assertNothingLost(sent, JsonMutator.JSON.readTree(put));
    }

    private void list(AzurePools pools, Canned answer) {
        arm.script(answer);
        end(pools.list());
    }

    private void write(AzurePools pools, Canned... answers) {
        arm.script(answers);
        Reply<BackendPool> read = pools.read(ArmHarness.SHOP_WEB);
        end(pools.write(ArmHarness.ok(read), AddressSet.of("10.0.0.5")));
    }

    /** Counts how a case ended. */
    private Object end(Reply<?> reply) {
        return switch (reply) {
            case Reply.Ok<?>(Object value) -> {
                ends.merge("Ok", 1, Integer::sum);
                yield value;
            }
            case Reply.Failed<?>(Failure failure) -> {
                assertThat(failure.describe()).isNotBlank().doesNotContain("\n").hasSizeLessThan(5_000);
                String kind = failure instanceof Failure.Other other
                        ? other.retriable() ? "Other, retriable" : "Other, terminal"
                        : failure.getClass().getSimpleName();
                ends.merge(kind, 1, Integer::sum);
                yield failure;
            }
        };
    }

    private static AddressSet addresses(JsonNode pool) {
        List<IpAddress> addresses = new ArrayList<>();
        for (JsonNode entry : field(field(pool, "properties"), "loadBalancerBackendAddresses")) {
            String text = field(field(entry, "properties"), "ipAddress").asText("");
            if (!text.isEmpty() && !text.equals("null")) {
                addresses.add(IpAddress.of(text));
            }
        }
        return AddressSet.of(addresses);
    }

    /** A field in any case; of several, the last. */
    private static JsonNode field(JsonNode object, String name) {
        return object.properties().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .<JsonNode>map(Map.Entry::getValue)
                .reduce(MissingNode.getInstance(), (first, last) -> last);
    }

    private static void assertNothingLost(JsonNode sent, JsonNode put) {
        assertKept(POOL_LEAVES, sent, put);
        assertAllKept(TUNNEL_LEAVES, sent.at("/properties/tunnelInterfaces"), put.at("/properties/tunnelInterfaces"));
        assertAllKept(
                ENTRY_LEAVES,
                sent.at("/properties/loadBalancerBackendAddresses"),
                put.at("/properties/loadBalancerBackendAddresses"));
    }

    private static void assertAllKept(List<String> leaves, JsonNode sent, JsonNode put) {
        for (int i = 0; i < sent.size(); i++) {
            assertThat(put.size()).isGreaterThan(i);
            assertKept(leaves, sent.get(i), put.get(i));
        }
    }

    private static void assertKept(List<String> leaves, JsonNode sent, JsonNode put) {
        for (String leaf : leaves) {
            JsonNode value = sent.at(leaf);
            if (!value.isMissingNode()
                    && !value.isNull()
                    && !(leaf.equals("/name") && value.asText().isBlank())) {
                assertThat(put.at(leaf)).as(leaf).isEqualTo(value);
            }
        }
    }

    private static String listing(String pool) {
        return "{\"value\": [{\"name\": \"lb-2\", \"properties\": {\"backendAddressPools\": [" + pool + "]}}]}";
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(ArmAnswerFuzzTest.class.getResourceAsStream("/arm/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A recorded body under the requested name. */
    private static String named(String name) {
        try {
            JsonNode pool = JsonMutator.JSON.readTree(resource(name));
            return JsonMutator.JSON.writeValueAsString(
                    ((ObjectNode) pool).put("name", "shop-web").put("id", Bodies.poolPath("lb-2", "shop-web")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
