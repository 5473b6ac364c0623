package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools that were created without a virtual network. */
class VirtualNetworksTest {

    private static final String NETWORKS =
            "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/";
    private static final String NONE = Bodies.poolIn("Succeeded", "");

    private ArmHarness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new ArmHarness();
        harness.settings = AzureSettings.of(harness.settings.cloud(), AzureScope.of(Bodies.SUBSCRIPTION, Bodies.GROUP));
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    /** A sibling pool; all names that contain an X are replaced. */
    private static String sibling(String name, String properties) {
        return "{\"name\": \"" + name + "\", \"properties\": {" + properties
                + ", \"loadBalancerBackendAddresses\": []}}";
    }

    private static String network(String name) {
        return "\"virtualNetwork\": {\"id\": \"" + NETWORKS + name + "\"}";
    }

    private static String loadBalancer(String name, String... pools) {
        return "{\"name\": \"" + name + "\", \"properties\": {\"backendAddressPools\": [" + String.join(",", pools)
                + "]}}";
    }

    private AzurePools listed(String... loadBalancers) {
        AzurePools pools = harness.pools();
        harness.arm.then(200, "{\"value\": [" + String.join(",", loadBalancers) + "]}");
        ok(pools.list());
        return pools;
    }

    private String written(AzurePools pools, String pool) {
        BackendPool read = harness.read(pools, pool);
        harness.arm.then(200, Bodies.pool("10.0.0.5"));
        ok(pools.write(read, AddressSet.of("10.0.0.5")));
        return harness.arm.asked().getLast().body();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"virtualNetwork\": null,",
                "\"virtualNetwork\": {},",
                "\"virtualNetwork\": {\"id\": null},",
                "\"virtualNetwork\": {\"id\": \"\"},"
            })
    @Rule(
            id = "A39",
            says = "A pool without a virtual network gets the configured one, or else that of its load balancer's pools"
                    + " if they all have the same.",
            source = "ours; Azure/azure-cli#30535",
            differs = "Go always knows the cluster's network.")
    void a_pool_gets_the_network_of_its_siblings(String field) {
        AzurePools pools = listed(
                loadBalancer("lb-2", sibling("kubernetes", network("vnet")), NONE, sibling("x", network("VNET"))),
                loadBalancer("lb-3", sibling("kubernetes", network("another"))));

        assertThat(written(pools, Bodies.poolIn("Succeeded", field)))
                .contains("\"virtualNetwork\":{\"id\":\"" + NETWORKS + "vnet\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"subnet\": {\"id\": \"Xvnet/subnets/nodes\"}",
                "\"subnet\": {\"id\": \"Xvnet/SUBNETS/nodes\"}",
                "\"virtualNetwork\": {\"id\": \"Xvnet\"}",
                "\"virtualNetwork\": {\"id\": \"Xvnet\"}, \"subnet\": {\"id\": \"XVNET/subnets/nodes\"}",
                "\"virtualNetwork\": null, \"subnet\": {\"id\": \"Xvnet/subnets/nodes\"}",
                "\"virtualNetwork\": {\"id\": \" \"}, \"subnet\": {\"id\": \"Xvnet/subnets/nodes\"}",
                "\"virtualNetwork\": {\"id\": \"Xvnet\"}, \"subnet\": {\"id\": \"elsewhere\"}"
            })
    void entries_and_their_subnets_name_a_network_too(String fields) {
        AzurePools pools = listed(loadBalancer(
                "lb-2",
                NONE,
                "{\"name\": \"a\", \"properties\": {\"loadBalancerBackendAddresses\": [{\"name\": \"n\","
                        + " \"properties\": {\"ipAddress\": \"10.0.0.1\", " + fields.replace("X", NETWORKS)
                        + "}}]}}"));

        assertThat(written(pools, NONE)).contains("\"virtualNetwork\":{\"id\":\"" + NETWORKS + "vnet\"}");
    }

    @Test
    void a_pool_that_is_never_written_names_no_network() {
        AzurePools pools = listed(loadBalancer(
                "lb-2",
                sibling("a", network("one")),
                sibling("b", network("two") + ", \"syncMode\": \"Automatic\""),
                NONE));

        assertThat(written(pools, NONE)).contains("/one\"");
    }

    @Test
    void networks_that_differ_are_no_answer() {
        AzurePools pools = listed(
                loadBalancer("lb-2", sibling("a", network("one")), sibling("b", network("two")), NONE),
                loadBalancer("lb-3", sibling("a", network("one"))));

        assertThat(written(pools, NONE)).doesNotContain("virtualNetwork");
    }

    @Test
    void the_configured_network_stands_above_that_of_the_siblings() {
        harness.settings = AzureSettings.of(
                harness.settings.cloud(), harness.settings.scope().withVnet("configured"));
        AzurePools pools = listed(loadBalancer("lb-2", sibling("a", network("one")), NONE));

        assertThat(written(pools, NONE)).contains("/virtualNetworks/configured\"");
    }

    @ParameterizedTest
    @CsvSource({"400, true", "403, false", "409, false", "500, false"})
    @Rule(
            id = "A40",
            says = "If ARM refuses a write of a pool for which no virtual network is known, the failure says to set"
                    + " vnetName.",
            source = "ours")
    void a_refusal_names_the_key(int status, boolean named) {
        AzurePools pools = listed(loadBalancer("lb-2", NONE));
        BackendPool read = harness.read(pools, NONE);
        harness.arm.then(status, Bodies.error("InvalidRequestFormat", "Cannot parse the request."));

        Failure failure = failure(pools.write(read, AddressSet.of("10.0.0.5")));

        assertThat(failure.describe().contains("set vnetName")).isEqualTo(named);
        assertThat(failure.describe()).contains("Cannot parse the request");
    }

    private static final String REMEDY = "(the pool has no virtual network: set vnetName (and vnetResourceGroup))";

    /** An operation that failed, unless the write itself was refused with a status. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        400 | {}                                                                  | HTTP 400: R (c-1)
        400 | {"error": {"code": "C"}}                                            | HTTP 400 C: R (c-1)
        400 | {"error": {"code": "C", "message": "m"}}                            | HTTP 400 C: m R (c-1)
        200 | {"status": "Failed", "error": {"code": "C", "message": "m"}}        | the operation failed: C: m (c-1) R
        200 | {"status": "Failed", "error": {"code": "InternalError"}}            | the operation failed: InternalError (c-1)
        200 | {"status": "Canceled"}                                              | Canceled: the operation was canceled (c-1)
        """)
    void the_remedy_stands_behind_what_azure_says(int status, String body, String told) {
        AzurePools pools = listed(loadBalancer("lb-2", NONE));
        BackendPool read = harness.read(pools, NONE);
        if (status == 200) {
            harness.arm.then(201, "", "Azure-AsyncOperation", harness.arm.address() + "/operations/1");
        }
        harness.arm.then(status, body, "x-ms-correlation-request-id", "c-1");

        assertThat(failure(pools.write(read, AddressSet.of("10.0.0.5"))).describe())
                .isEqualTo(told.replace(" R", " " + REMEDY));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_refusal_of_a_pool_whose_network_is_known_is_about_something_else(boolean isConfigured) {
        if (isConfigured) {
            harness.settings = AzureSettings.of(
                    harness.settings.cloud(), harness.settings.scope().withVnet("configured"));
        }
        AzurePools pools = listed(
                isConfigured ? loadBalancer("lb-2", NONE) : loadBalancer("lb-2", sibling("a", network("one")), NONE));
        BackendPool read = harness.read(pools, NONE);
        harness.arm.then(400, Bodies.error("InvalidRequestFormat", "Cannot parse the request."));

        assertThat(failure(pools.write(read, AddressSet.of("10.0.0.5"))).describe())
                .isEqualTo("HTTP 400 InvalidRequestFormat: Cannot parse the request");
    }

    @Test
    void a_refusal_of_a_pool_with_a_network_is_about_something_else() {
        AzurePools pools = harness.pools();
        BackendPool read = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(400, Bodies.error("InvalidRequestFormat", "Cannot parse the request."));

        assertThat(failure(pools.write(read, AddressSet.of("10.0.0.5"))).describe())
                .doesNotContain("vnetName");
        assertThat(read.key()).isEqualTo(SHOP_WEB);
    }

    static Stream<Arguments> laterListings() {
        return Stream.of(
                Arguments.of("another one", List.of(sibling("a", network("two")), NONE), "two"),
                Arguments.of("two", List.of(sibling("a", network("one")), sibling("b", network("two")), NONE), null),
                Arguments.of("none", List.of(NONE), null),
                Arguments.of("no pool", List.of(), null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("laterListings")
    void the_last_listing_alone_tells_the_network(String what, List<String> later, @Nullable String network) {
        String first = loadBalancer("lb-2", sibling("a", network("one")), NONE);
        String then = loadBalancer("lb-2", later.toArray(String[]::new));
        AzurePools pools = listed(first);
        assertThat(written(pools, NONE)).contains("/one\"");
        // when, then
        list(pools, then);
        String body = written(pools, NONE);
        if (network == null) {
            assertThat(body).doesNotContain("virtualNetwork");
        } else {
            assertThat(body).contains("/" + network + "\"");
        }
        // and as at first
        list(pools, first);
        assertThat(written(pools, NONE)).contains("/one\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\": \"lb-2\"}",
                "{\"name\": \"lb-2\", \"properties\": null}",
                "{\"name\": \"lb-2\", \"properties\": {}}",
                "{\"name\": \"LB-2\", \"properties\": {\"backendAddressPools\": null}}",
                "{}"
            })
    void a_load_balancer_that_becomes_unreadable_keeps_its_network(String unreadable) {
        String another = loadBalancer("lb-3", sibling("a", network("two")));
        AzurePools pools = listed(loadBalancer("lb-2", sibling("a", network("one")), NONE), another);
        for (int i = 0; i < 2; i++) {
            list(pools, unreadable + "," + another);
            assertThat(written(pools, NONE)).contains("/one\"");
        }
        // what it says when it is readable again counts
        list(pools, loadBalancer("lb-2", NONE) + "," + another);
        assertThat(written(pools, NONE)).doesNotContain("virtualNetwork");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\": \"a\"}",
                "{\"name\": \"a\", \"properties\": null}",
                "{\"name\": \"A\", \"properties\": {\"loadBalancerBackendAddresses\": 7}}",
                "{}",
                "null"
            })
    void a_pool_that_becomes_unreadable_keeps_its_network(String unreadable) {
        AzurePools pools = listed(loadBalancer("lb-2", sibling("a", network("one")), NONE));
        for (int i = 0; i < 2; i++) {
            list(pools, loadBalancer("lb-2", unreadable, NONE));
            assertThat(written(pools, NONE)).contains("/one\"");
        }
        // what it says when it is readable again counts
        list(pools, loadBalancer("lb-2", sibling("a", network("two")), NONE));
        assertThat(written(pools, NONE)).contains("/two\"");
    }

    @Test
    void what_another_load_balancer_lacks_keeps_no_network() {
        AzurePools pools = listed(
                loadBalancer("lb-2", sibling("a", network("one")), NONE),
                loadBalancer("lb-3", sibling("c", network("one"))));

        list(
                pools,
                loadBalancer("lb-2", sibling("a", network("two")), NONE) + ","
                        + loadBalancer("lb-3", "{\"name\": \"c\"}"));

        assertThat(written(pools, NONE)).contains("/two\"");
    }

    @Test
    void a_pool_that_becomes_unreadable_is_counted_beside_those_that_are_not() {
        AzurePools pools =
                listed(loadBalancer("lb-2", sibling("a", network("one")), sibling("b", network("one")), NONE));

        list(pools, loadBalancer("lb-2", "{\"name\": \"a\"}", sibling("b", network("two")), NONE));
        assertThat(written(pools, NONE)).doesNotContain("virtualNetwork");

        list(pools, loadBalancer("lb-2", sibling("a", network("two")), sibling("b", network("two")), NONE));
        assertThat(written(pools, NONE)).contains("/two\"");
    }

    private void list(AzurePools pools, String loadBalancer) {
        harness.arm.then(200, "{\"value\": [" + loadBalancer + "]}");
        ok(pools.list());
    }
}
