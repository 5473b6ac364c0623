package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.azure.http.ArmCodes;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Term;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AzurePoolsWriteTest {

    private ArmHarness harness;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        pools = harness.pools();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private Map<?, ?> put() throws Exception {
        return object(harness.arm.asked().stream()
                .filter(asked -> asked.method().equals("PUT"))
                .findFirst()
                .orElseThrow()
                .body());
    }

    private static Map<?, ?> object(String json) throws Exception {
        return JsonMutator.JSON.readValue(json, Map.class);
    }

    /** The body without fields that only ARM sets. */
    private static Map<?, ?> writable(String json) throws Exception {
        Map<?, ?> body = object(json);
        body.keySet().removeAll(Set.of("etag", "type"));
        ((Map<?, ?>) body.get("properties"))
                .keySet()
                .removeAll(Set.of("provisioningState", "backendIPConfigurations", "loadBalancingRules"));
        return body;
    }

    private static List<Map<?, ?>> entries(Map<?, ?> pool) {
        return ((List<?>) ((Map<?, ?>) pool.get("properties")).get("loadBalancerBackendAddresses"))
                .stream().<Map<?, ?>>map(entry -> (Map<?, ?>) entry).toList();
    }

    @Test
    @Rule(
            id = "A3",
            says = "A write preserves all properties that the API version defines as writable, and carries the"
                    + " ETag that was read.",
            source = "ours",
            differs = "Go sends the ETag in the body.")
    void a_write_that_keeps_every_address_loses_nothing() throws Exception {
        // given
        BackendPool pool = harness.read(pools, Bodies.everything());
        harness.arm.then(200, Bodies.everything());
        // when
        ok(pools.write(pool, AddressSet.of("10.0.0.4", "10.0.0.5", "fd12::5")));
        // then
        assertThat(put()).isEqualTo(writable(Bodies.everything()));
        assertThat(harness.arm.asked().getLast().header("If-Match")).isEqualTo(Bodies.ETAG_VALUE);
    }

    @Test
    void a_retried_update_also_writes_with_the_etag() throws Exception {
        // given
        BackendPool pool = harness.read(pools, Bodies.everything());
        harness.arm.then(200, Bodies.everything());
        // when
        ok(pools.write(pool, AddressSet.of("10.0.0.4"), new CallContext(Term.untilEnded(), true, null)));
        // then
        assertThat(harness.arm.asked().getLast().header("If-Match")).isEqualTo(Bodies.ETAG_VALUE);
    }

    @Test
    void a_write_keeps_unknown_fields() throws Exception {
        // given: fields that no version of the adapter knows, at every level
        String body = Bodies.poolIn(
                        "Succeeded", "\"drainMode\": {\"kind\": \"soft\", \"steps\": [1, 2.5, true]},", "10.0.0.4")
                .replace("\"name\": \"shop-web\"", "\"name\": \"shop-web\", \"zones\": [\"1\"]")
                .replace("\"ipAddress\"", "\"weight\": 12345678901, \"ipAddress\"");
        BackendPool pool = harness.read(pools, body);
        harness.arm.then(200, body);
        // when
        ok(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        Map<?, ?> written = (Map<?, ?>) put().get("properties");
        assertThat(put().get("zones")).isEqualTo(List.of("1"));
        assertThat(written.get("drainMode")).isEqualTo(Map.of("kind", "soft", "steps", List.of(1, 2.5, true)));
        assertThat(entries(put()).getFirst().get("properties"))
                .isEqualTo(Map.of("weight", 12345678901L, "ipAddress", "10.0.0.4"));
    }

    @Test
    void new_addresses_are_named_after_their_node_and_the_pool_gets_its_network() throws Exception {
        // given
        BackendPool pool = harness.read(pools, Bodies.poolIn("Succeeded", "", "10.0.0.4", "10.0.0.5"));
        harness.arm.then(200, Bodies.pool("10.0.0.5", "10.0.0.6"));
        // when
        BackendPool written = ok(pools.write(pool, AddressSet.of("10.0.0.5", "10.0.0.6")));
        // then
        assertThat(written.addresses()).isEqualTo(AddressSet.of("10.0.0.5", "10.0.0.6"));
        assertThat(entries(put()))
                .<Object>extracting(entry -> entry.get("name"))
                .containsExactly("node-10.0.0.5", "aks-node-6");
        assertThat(((Map<?, ?>) put().get("properties")).get("virtualNetwork")).isEqualTo(Map.of("id", Bodies.VNET));
    }

    @Test
    @Rule(
            id = "A4",
            says = "New addresses are named after their node; names are never blank and are unique in a pool.",
            source = "ours",
            differs = "Go names an unknown address \"\", and two addresses of a node alike.")
    void address_names_are_never_blank_and_never_duplicated() throws Exception {
        // given
        BackendPool pool = harness.read(
                pools,
                Bodies.pool("10.0.0.6", "10.0.0.7")
                        .replace("node-10.0.0.6", "AKS-Node-9")
                        .replace("node-10.0.0.7", ""));
        harness.arm.then(200, Bodies.pool("10.0.0.6"));
        // when
        ok(pools.write(pool, AddressSet.of("10.0.0.6", "10.0.0.7", "10.0.0.9", "10.0.1.9")));
        // then
        assertThat(entries(put()))
                .<Object>extracting(entry -> entry.get("name"))
                .containsExactly("AKS-Node-9", "aks-node-7", "aks-node-9-10-0-0-9", "aks-node-9-10-0-1-9");
    }

    @Test
    void a_pool_can_be_emptied() throws Exception {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(200, Bodies.pool());
        // when
        ok(pools.write(pool, AddressSet.empty()));
        // then
        assertThat(entries(put())).isEmpty();
    }

    static Stream<Arguments> pools_that_are_never_written() {
        return Stream.of(
                Arguments.of(Bodies.pool("10.0.0.4").replace("\"ipAddress\": \"10.0.0.4\"", ""), "nodeIP"),
                Arguments.of(
                        Bodies.pool("10.0.0.4")
                                .replace(
                                        "\"ipAddress\": \"10.0.0.4\"",
                                        "\"loadBalancerFrontendIPConfiguration\": {\"id\": \"/lb/fip\"}"),
                        "use a regional load balancer"),
                Arguments.of(
                        Bodies.poolIn("Succeeded", "\"syncMode\": \"Automatic\",", "10.0.0.4"), "syncMode to Manual"),
                Arguments.of(
                        Bodies.poolIn("Succeeded", "\"backendIPConfigurations\": [{\"id\": \"/nic\"}],"), "nodeIP"),
                Arguments.of(
                        Bodies.poolIn(
                                "Succeeded",
                                "\"backendIPConfigurations\": [{\"id\": \"/n\", \"properties\":"
                                        + " {\"privateLinkConnectionProperties\": {\"groupId\": \"g\"}}}],",
                                "10.0.0.4"),
                        "Private Link"),
                Arguments.of(
                        Bodies.poolIn("Succeeded", "\"syncMode\": \"AUTOMATIC\",", "10.0.0.4"), "syncMode to Manual"),
                Arguments.of(Bodies.pool("10.0.0.4", "10.0.0.5").replace("\"ipAddress\": \"10.0.0.5\"", ""), "nodeIP"),
                Arguments.of(
                        Bodies.pool("10.0.0.4", "10.0.0.5")
                                .replace(
                                        "\"ipAddress\": \"10.0.0.5\"",
                                        "\"loadBalancerFrontendIPConfiguration\": {\"id\": \"/lb/fip\"}"),
                        "use a regional load balancer"),
                Arguments.of(
                        Bodies.poolIn(
                                "Succeeded",
                                "\"backendIPConfigurations\": [null, {\"id\": \"/m\"}, {\"id\": \"/n\", \"properties\":"
                                        + " {\"privateLinkConnectionProperties\": {\"groupId\": \"g\"}}}],",
                                "10.0.0.4"),
                        "Private Link"),
                Arguments.of(Bodies.pool("10.0.0.4").replace("\"etag\"", "\"tag\""), "ETag"));
    }

    @ParameterizedTest
    @MethodSource("pools_that_are_never_written")
    @Rule(
            id = "A5",
            says = "Pools of network interfaces, with syncMode Automatic or of Private Link are never written; the"
                    + " failure names the remedy.",
            source = "ours",
            differs = "The Go updater drops the entries of network interfaces.")
    void a_pool_that_must_not_be_written_is_refused_with_a_remedy_before_sending(String body, String remedy) {
        // given
        BackendPool pool = harness.read(pools, body);
        // when
        Failure failure = failure(pools.write(pool, AddressSet.of("10.0.0.9")));
        // then
        assertThat(failure).isInstanceOfSatisfying(Failure.Other.class, other -> {
            assertThat(other.retriable()).isFalse();
            assertThat(other.reason()).contains(remedy);
        });
        assertThat(harness.arm.methods()).containsExactly("GET");
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(409, "AnotherOperationInProgress", Failure.Conflict.class),
                Arguments.of(412, "PreconditionFailed", Failure.PreconditionFailed.class),
                Arguments.of(404, "NotFound", Failure.NotFound.class),
                Arguments.of(400, "InvalidRequestFormat", Failure.HttpError.class),
                Arguments.of(400, "RetryableError", Failure.Conflict.class),
                Arguments.of(500, "InternalServerError", Failure.HttpError.class),
                Arguments.of(400, ArmCodes.PRIVATE_LINK, Failure.Other.class));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void a_refused_write_becomes_the_failure_for_its_status(int status, String code, Class<?> kind) {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(status, Bodies.error(code, "no"));
        // when, then
        assertThat(failure(pools.write(pool, AddressSet.empty()))).isInstanceOf(kind);
        assertThat(harness.arm.asked()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {ArmCodes.PRIVATE_LINK, "privatelinkserviceisnotsupportedforipbasedloadbalancer"})
    void a_pool_refused_because_of_private_link_is_not_written_again_until_it_changes(String code) {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(400, Bodies.error(code, "no"));
        Failure first = failure(pools.write(pool, AddressSet.empty()));
        // when
        Failure second = failure(pools.write(pool, AddressSet.empty()));
        // then
        assertThat(second).isEqualTo(first);
        assertThat(first.describe()).contains("use a load balancer without Private Link service");
        assertThat(harness.arm.methods()).containsExactly("GET", "PUT");
        // when the pool has another version
        harness.arm.then(200, Bodies.pool("10.0.0.5"));
        ok(pools.write(
                new BackendPool(pool.key(), pool.addresses(), "W/\"another\"", pool.source()),
                AddressSet.of("10.0.0.5")));
        // then
        assertThat(harness.arm.methods()).containsExactly("GET", "PUT", "PUT");
    }

    static Stream<UnaryOperator<String>> spellings() {
        return Stream.of(
                name -> name,
                name -> name.toUpperCase(Locale.ROOT),
                name -> name.toLowerCase(Locale.ROOT),
                name -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void each_field_that_only_arm_sets_is_left_out_in_any_case(UnaryOperator<String> spelling) throws Exception {
        // given
        List<String> ofPool = List.of("etag", "type");
        List<String> ofProperties = List.of(
                "provisioningState",
                "backendIPConfigurations",
                "loadBalancingRules",
                "outboundRule",
                "outboundRules",
                "inboundNatRules");
        List<String> ofEntry = List.of("networkInterfaceIPConfiguration", "inboundNatRulesPortMapping");
        BackendPool pool = harness.read(
                pools,
                "{\"name\": \"shop-web\", %s \"kept\": 1, \"properties\": {%s \"virtualNetwork\": {\"id\": \"/v\"}, \"loadBalancerBackendAddresses\": ["
                                .formatted(fields(ofPool, spelling), fields(ofProperties, spelling))
                        + "{\"name\": \"a\", \"properties\": {%s \"kept\": 3, \"ipAddress\": \"10.0.0.4\"}}]}}"
                                .formatted(fields(ofEntry, spelling)));
        harness.arm.then(200, Bodies.pool("10.0.0.4"));
        // when
        ok(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(put())
                .isEqualTo(object(
                        "{\"name\": \"shop-web\", \"kept\": 1, \"properties\": {\"virtualNetwork\": {\"id\": \"/v\"},"
                                + " \"loadBalancerBackendAddresses\": [{\"name\": \"a\", \"properties\":"
                                + " {\"kept\": 3, \"ipAddress\": \"10.0.0.4\"}}]}}"));
    }

    private static String fields(List<String> names, UnaryOperator<String> spelling) {
        return names.stream()
                .map(name -> "\"" + spelling.apply(name) + "\": \"x\", ")
                .collect(Collectors.joining());
    }

    static Stream<Arguments> exceptions() {
        return Stream.of(
                Arguments.of(new IllegalStateException("sig=SECRET"), "java.lang.IllegalStateException: sig=…"),
                Arguments.of(new IllegalArgumentException(), "java.lang.IllegalArgumentException"),
                Arguments.of(new ArithmeticException("/ by zero"), "java.lang.ArithmeticException: / by zero"),
                Arguments.of(new NullPointerException(), "java.lang.NullPointerException"));
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void a_lookup_of_node_names_that_throws_fails_the_write_before_sending(RuntimeException thrown, String told) {
        // given
        AzurePools broken = harness.builder(ArmHarness.TOKEN)
                .nodeNames(address -> {
                    throw thrown;
                })
                .build();
        BackendPool pool = harness.read(broken, Bodies.pool("10.0.0.4"));
        // when, then
        assertThat(failure(broken.write(pool, AddressSet.of("10.0.0.5"))))
                .isEqualTo(Failure.Other.terminal("could not build the body for pool lb-2/shop-web: " + told));
        assertThat(harness.arm.methods()).containsExactly("GET");
    }
}
