package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One object that ARM lists in a way that cannot be read, between two that can. */
class OddListingTest {

    private static final String ODD_POOL = pool("odd", "b", "10.0.0.2");

    private ArmHarness harness;
    private AzurePools pools;

    @BeforeEach
    void start() throws IOException {
        harness = new ArmHarness();
        pools = harness.pools();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static String pool(String loadBalancer, String name, String address) {
        return Bodies.pool(address).replace("shop-web", name).replace("lb-2", loadBalancer);
    }

    private static String loadBalancer(String name, String... pools) {
        return "{\"name\": \"%s\", \"tags\": {\"cluster\": \"blue\"}, \"properties\": {\"backendAddressPools\": [%s]}}"
                .formatted(name, String.join(",", pools));
    }

    /** A load balancer of two pools, of which one cannot be read. */
    private static String with(String oddPool) {
        return loadBalancer("odd", pool("odd", "a", "10.0.0.1"), oddPool);
    }

    private static String page(String odd) {
        return "{\"value\": [%s, %s, %s]}"
                .formatted(
                        loadBalancer("first", pool("first", "x", "10.0.0.8")),
                        odd,
                        loadBalancer("last", pool("last", "y", "10.0.0.9")));
    }

    private static String usual() {
        return page(with(ODD_POOL));
    }

    private List<String> list(String page) {
        harness.arm.then(200, page);
        return ok(pools.list()).stream().map(OddListingTest::line).sorted().toList();
    }

    private static String line(BackendPool pool) {
        return pool.key() + " " + pool.addresses() + (pool.isSettled() ? "" : "?");
    }

    static Stream<Arguments> objects() {
        String withoutAddresses = ODD_POOL.replaceAll("\"loadBalancerBackendAddresses\": \\[.*?}}]", "%s");
        return Stream.of(
                // load balancers
                load("null", "null"),
                load("a string", "\"odd\""),
                load("an array", "[]"),
                load("without fields", "{}"),
                load("without a name", with(ODD_POOL).replace("\"name\": \"odd\", ", "")),
                load("name null", with(ODD_POOL).replace("\"name\": \"odd\"", "\"name\": null")),
                load("a blank name", with(ODD_POOL).replace("\"name\": \"odd\"", "\"name\": \" \"")),
                load("name a number", with(ODD_POOL).replace("\"name\": \"odd\"", "\"name\": 7")),
                load("without properties", "{\"name\": \"odd\"}"),
                load("properties null", "{\"name\": \"odd\", \"properties\": null}"),
                load("properties an array", "{\"name\": \"odd\", \"properties\": []}"),
                load("without pools", "{\"name\": \"odd\", \"properties\": {}}"),
                load("pools null", "{\"name\": \"odd\", \"properties\": {\"backendAddressPools\": null}}"),
                load("pools an object", "{\"name\": \"odd\", \"properties\": {\"backendAddressPools\": {}}}"),
                load("pools a string", "{\"name\": \"ODD\", \"properties\": {\"backendAddressPools\": \"\"}}"),
                // pools
                one("null", "null"),
                one("a string", "\"b\""),
                one("without fields", "{}"),
                one("without a name", ODD_POOL.replace("\"name\": \"b\", ", "")),
                one("name null", ODD_POOL.replace("\"name\": \"b\"", "\"name\": null")),
                one("id of another pool", ODD_POOL.replace("backendAddressPools/b", "backendAddressPools/c")),
                one("id of another load balancer", ODD_POOL.replace("loadBalancers/odd", "loadBalancers/first")),
                one("id of another type", ODD_POOL.replace("/backendAddressPools/", "/inboundNatRules/")),
                one("without properties", "{\"name\": \"b\"}"),
                one("properties null", "{\"name\": \"b\", \"properties\": null}"),
                one("properties a string", "{\"name\": \"b\", \"properties\": \"\"}"),
                one("etag a number", ODD_POOL.replace("\"" + Bodies.ETAG + "\"", "7")),
                one("entries an object", withoutAddresses.formatted("\"loadBalancerBackendAddresses\": {}")),
                one("an entry null", withoutAddresses.formatted("\"loadBalancerBackendAddresses\": [null]")),
                one("a wrong address", ODD_POOL.replace("10.0.0.2\"}", "10.0.0.2/33\"}")),
                one("an address of another type", ODD_POOL.replace("\"10.0.0.2\"}", "7}")));
    }

    private static Arguments load(String what, String loadBalancer) {
        return Arguments.of("load balancer: " + what, loadBalancer, false);
    }

    private static Arguments one(String what, String pool) {
        return Arguments.of("pool: " + what, with(pool), true);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("objects")
    @Rule(
            id = "A64",
            says = "A load balancer or pool in Azure's list that cannot be read affects no other one: what was listed"
                    + " of it before stays in use, its contents counting as uncertain. A list in which nothing can"
                    + " be read is a failure.",
            source = "ours",
            differs = "Go takes a load balancer without pools for one that lost them.")
    void the_others_are_listed_as_always(String what, String odd, boolean isPool) {
        // given, when: it is odd from the first listing on
        List<String> first = list(page(odd));
        // then
        assertThat(first).contains("first/x [10.0.0.8]", "last/y [10.0.0.9]").doesNotContain("odd/b [10.0.0.2]");
        assertThat(first).hasSize(isPool ? 3 : 2);
        // given
        assertThat(list(usual()))
                .containsExactly("first/x [10.0.0.8]", "last/y [10.0.0.9]", "odd/a [10.0.0.1]", "odd/b [10.0.0.2]");
        // when: it becomes so, and stays so
        for (int i = 0; i < 2; i++) {
            List<String> later = list(page(odd));
            // then
            assertThat(later)
                    .containsExactly(
                            "first/x [10.0.0.8]",
                            "last/y [10.0.0.9]",
                            "odd/a [10.0.0.1]" + (isPool ? "" : "?"),
                            "odd/b [10.0.0.2]?");
        }
        // then: it ends
        assertThat(list(page(loadBalancer("odd", pool("odd", "a", "10.0.0.3")))))
                .containsExactly("first/x [10.0.0.8]", "last/y [10.0.0.9]", "odd/a [10.0.0.3]");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("objects")
    void a_list_of_unreadable_load_balancers_is_a_failure(String what, String odd, boolean isPool) {
        list(usual());
        harness.arm.then(200, "{\"value\": [%s, null]}".formatted(isPool ? "7" : odd));

        assertThat(failure(pools.list()).describe()).contains("the list of load balancers is invalid");
    }

    @ParameterizedTest
    @MethodSource("readable")
    void unusual_but_readable_objects_are_listed(String what, String odd, String expected) {
        assertThat(list(page(odd))).contains("first/x [10.0.0.8]", "last/y [10.0.0.9]", expected);
    }

    static Stream<Arguments> readable() {
        return Stream.of(
                Arguments.of("an unknown state", with(ODD_POOL.replace("Succeeded", "Migrating")), "odd/b [10.0.0.2]?"),
                Arguments.of("no id", with(ODD_POOL.replace("\"id\"", "\"other\"")), "odd/b [10.0.0.2]"),
                Arguments.of(
                        "the id of another group",
                        with(ODD_POOL.replace("resourceGroups/" + Bodies.GROUP, "resourceGroups/other")),
                        "odd/b [10.0.0.2]"),
                Arguments.of(
                        "tags of another type",
                        with(ODD_POOL).replace("{\"cluster\": \"blue\"}", "[]"),
                        "odd/b [10.0.0.2]"),
                Arguments.of("no entries", with("{\"name\": \"b\", \"properties\": {}}"), "odd/b []"));
    }

    @Test
    void tags_that_cannot_be_read_do_not_deselect_a_load_balancer() {
        // given
        harness.settings = harness.settings.withLoadBalancers(LoadBalancerSelection.tagged("cluster", "blue"));
        pools = harness.pools();
        list(usual());
        // when
        List<String> later = list(page(with(ODD_POOL).replace("{\"cluster\": \"blue\"}", "[]")));
        // then
        assertThat(later).contains("odd/a [10.0.0.1]?", "odd/b [10.0.0.2]?", "first/x [10.0.0.8]");
        harness.arm.then(200, ODD_POOL);
        ok(pools.read(PoolKey.of("odd", "b"), CallContext.unbound()));
    }

    @Test
    void a_pool_that_is_kept_has_the_contents_last_read_or_written() {
        // given
        list(usual());
        PoolKey key = PoolKey.of("odd", "b");
        harness.arm.then(200, ODD_POOL);
        BackendPool read = ok(pools.read(key, CallContext.unbound()));
        harness.arm.then(200, pool("odd", "b", "10.0.0.5"));
        ok(pools.write(read, AddressSet.of("10.0.0.5"), CallContext.unbound()));
        // when
        harness.arm.then(200, page("{\"name\": \"odd\"}"));
        BackendPool kept = ok(pools.list()).stream()
                .filter(pool -> pool.key().equals(key))
                .findFirst()
                .orElseThrow();
        // then
        assertThat(kept.addresses()).isEqualTo(AddressSet.of("10.0.0.5"));
        assertThat(kept.provisioning()).isEqualTo(ProvisioningState.UPDATING);
        assertThat(failure(pools.write(kept, AddressSet.empty(), CallContext.unbound()))
                        .describe())
                .contains("was not read by this adapter");
    }

    /** Each letter is a listing, a read, or a write; the pool holds another address each time. */
    @ParameterizedTest
    @ValueSource(strings = {"L", "R", "RL", "LR", "RLL", "RLRL", "W", "RWL", "RWLR", "WLW"})
    void a_pool_that_is_kept_has_what_was_seen_last(String seen) {
        PoolKey key = PoolKey.of("odd", "b");
        list(usual());
        String address = "10.0.0.2";
        for (int i = 0; i < seen.length(); i++) {
            address = "10.0.0." + (20 + i);
            String pool = pool("odd", "b", address);
            switch (seen.charAt(i)) {
                case 'L' -> list(page(with(pool)));
                case 'R' -> read(key, pool);
                default -> {
                    BackendPool read = read(key, ODD_POOL);
                    harness.arm.then(200, pool);
                    ok(pools.write(read, AddressSet.of(address), CallContext.unbound()));
                }
            }
        }
        for (String unreadable : List.of("{\"name\": \"odd\"}", with("{\"name\": \"b\"}"), "{}")) {
            assertThat(list(page(unreadable))).contains("odd/b [" + address + "]?");
        }
    }

    private BackendPool read(PoolKey key, String pool) {
        harness.arm.then(200, pool);
        return ok(pools.read(key, CallContext.unbound()));
    }

    @Test
    void an_element_without_a_name_keeps_no_pool_that_its_load_balancer_lost() {
        list(usual());

        assertThat(list(page(loadBalancer("odd", ODD_POOL) + ", null")))
                .containsExactly("first/x [10.0.0.8]", "last/y [10.0.0.9]", "odd/b [10.0.0.2]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"error\": {\"code\": \"InternalServerError\", \"message\": \"shard 2 did not answer\"}",
                "\"code\": \"InternalServerError\", \"message\": \"shard 2 did not answer\"",
                "\"value\": []",
                "\"Value\": []",
                "\"nextLink\": null, \"nextLink\": null"
            })
    void a_page_that_contradicts_itself_is_read_again_not_taken_for_the_list(String more) {
        for (String body : List.of(
                usual().replace("{\"value\"", "{" + more + ", \"value\""),
                usual().replaceFirst("\\]}$", "], " + more + "}"))) {
            harness.arm.then(200, body);
            assertThat(failure(pools.list()))
                    .isInstanceOf(Failure.Other.class)
                    .extracting("retriable")
                    .isEqualTo(true);
        }
    }
}
