package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of a pool that is read or written, left out, as null and empty. */
class AbsentFieldsTest {

    /** A pool with each field that is read; the entry's network interface and the NAT rules are read-only. */
    private static final String POOL = """
        {"name": "shop-web", "id": "%s", "etag": "%s", "type": "t", "zones": ["1"],
         "properties": {"provisioningState": "Succeeded", "location": "westeurope", "drainPeriodInSeconds": 30,
          "virtualNetwork": {"id": "/pool-net"}, "syncMode": "Manual", "tunnelInterfaces": [{"port": 1}],
          "backendIPConfigurations": [{"id": "/nic", "properties": {"privateLinkConnectionProperties": null}}],
          "loadBalancingRules": [{"id": "/r"}], "outboundRule": {"id": "/r"}, "outboundRules": [{"id": "/r"}],
          "inboundNatRules": [{"id": "/r"}],
          "loadBalancerBackendAddresses": [{"name": "a", "properties": {"ipAddress": "10.0.0.4",
           "virtualNetwork": {"id": "/entry-net"}, "subnet": {"id": "/entry-net/subnets/s"}, "adminState": "Up",
           "loadBalancerFrontendIPConfiguration": {"id": "/f"}, "networkInterfaceIPConfiguration": {"id": "/n"},
           "inboundNatRulesPortMapping": [{"frontendPort": 1}]}}]}}\
        """.formatted(Bodies.poolPath("lb-2", "shop-web"), Bodies.ETAG);

    private static final AddressSet WANTED = AddressSet.of("10.0.0.4", "10.0.0.9");

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /name                              | ""  | fails    | fails    | fails
        /id                                | ""  | left out | left out | fails
        /etag                              | ""  | no ETag  | no ETag  | no ETag
        /type                              | ""  | left out | left out | left out
        /zones                             | []  | left out | left out | sent []
        /properties                        | {}  | fails    | fails    | fails
        /properties/provisioningState      | ""  | left out | left out | left out
        /properties/location               | ""  | left out | left out | sent ""
        /properties/drainPeriodInSeconds   | 0   | left out | left out | sent 0
        /properties/syncMode               | ""  | left out | left out | sent ""
        /properties/tunnelInterfaces       | []  | left out | left out | sent []
        /properties/backendIPConfigurations | [] | left out | left out | left out
        /properties/backendIPConfigurations/0/properties | {} | left out | left out | left out
        /properties/backendIPConfigurations/0/properties/privateLinkConnectionProperties | {} | left out | left out | PRIVATE_LINK
        /properties/loadBalancingRules     | []  | left out | left out | left out
        /properties/outboundRule           | {}  | left out | left out | left out
        /properties/outboundRules          | []  | left out | left out | left out
        /properties/inboundNatRules        | []  | left out | left out | left out
        /properties/loadBalancerBackendAddresses | [] | NETWORK_INTERFACES | NETWORK_INTERFACES | NETWORK_INTERFACES
        /properties/loadBalancerBackendAddresses/0/name | "" | sent "aks-node-4" | sent "aks-node-4" | sent "aks-node-4"
        /properties/loadBalancerBackendAddresses/0/properties | {} | NETWORK_INTERFACES | NETWORK_INTERFACES | NETWORK_INTERFACES
        /properties/loadBalancerBackendAddresses/0/properties/ipAddress | "" | CROSS_REGION | CROSS_REGION | CROSS_REGION
        /properties/loadBalancerBackendAddresses/0/properties/adminState | "" | left out | left out | sent ""
        /properties/loadBalancerBackendAddresses/0/properties/virtualNetwork | {} | left out | left out | sent {}
        /properties/loadBalancerBackendAddresses/0/properties/subnet | {} | left out | left out | sent {}
        /properties/loadBalancerBackendAddresses/0/properties/loadBalancerFrontendIPConfiguration | {} | left out | left out | sent {}
        /properties/loadBalancerBackendAddresses/0/properties/networkInterfaceIPConfiguration | {} | left out | left out | left out
        /properties/loadBalancerBackendAddresses/0/properties/inboundNatRulesPortMapping | [] | left out | left out | left out
        """)
    @Rule(
            id = "A63",
            says = "A field of a pool that is null counts as absent, and so does an empty text in a field that is"
                    + " only read; null is never sent back.",
            source = "ours")
    void a_field_that_is_null_counts_as_absent(
            String field, String empty, String ifAbsent, String ifNull, String ifEmpty) throws Exception {
        assertThat(List.of(outcome(field, null), outcome(field, "null"), outcome(field, empty)))
                .containsExactly(ifAbsent, ifNull, ifEmpty);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /properties/virtualNetwork    | {}
        /properties/virtualNetwork/id | ""
        """)
    void a_pool_without_a_network_gets_that_of_the_configuration(String field, String empty) throws Exception {
        String configured = "sent {\"id\":\"" + Bodies.VNET + "\"}";
        for (String value : new String[] {null, "null", empty}) {
            assertThat(sent(changed(POOL, field, value), "/properties/virtualNetwork"))
                    .isEqualTo(configured);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "absent", textBlock = """
        absent | absent   | no ETag
        null   | absent   | no ETag
        ""     | absent   | no ETag
        absent | W/"1"    | W/"1"
        null   | W/"1"    | W/"1"
        ""     | W/"1"    | W/"1"
        absent | ''       | no ETag
        absent | ' '      | no ETag
        "2"    | W/"1"    | 2
        """)
    void the_etag_is_that_of_the_body_or_else_of_the_header(String inBody, String header, String etag)
            throws Exception {
        // given
        String body = changed(POOL, "/etag", inBody);
        harness.arm.then(200, body, header == null ? new String[0] : new String[] {"ETag", header});
        // when
        BackendPool pool = ok(pools.read(SHOP_WEB));
        // then
        assertThat(pool.etag() == null ? "no ETag" : pool.etag()).isEqualTo(etag);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "absent",
            value = {"absent", "null", "''"})
    void a_pool_without_a_provisioning_state_has_succeeded(String state) throws Exception {
        // given
        String body = changed(POOL, "/properties/provisioningState", "".equals(state) ? "\"\"" : state);
        // when, then
        assertThat(harness.read(pools, body).provisioning()).isEqualTo(ProvisioningState.SUCCEEDED);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "absent",
            value = {"absent", "null", "''"})
    void a_write_whose_response_has_no_provisioning_state_has_completed(String state) throws Exception {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(
                200,
                changed(Bodies.pool("10.0.0.9"), "/properties/provisioningState", "".equals(state) ? "\"\"" : state));
        // when, then
        assertThat(ok(pools.write(pool, AddressSet.of("10.0.0.9"))).addresses()).isEqualTo(AddressSet.of("10.0.0.9"));
        assertThat(harness.arm.methods()).containsExactly("GET", "PUT");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"status": "Succeeded"}                                                          | ok
        {"Status": "SUCCEEDED", "error": null}                                           | ok
        {"status": "Succeeded", "error": {}, "properties": null}                         | ok
        {"status": "Failed"}                                                             | fails
        {"status": "Failed", "error": null}                                              | fails
        {"status": "Failed", "error": {}}                                                | fails
        {"status": "Failed", "error": {"code": null, "message": "", "details": null}}    | fails
        {"status": "Canceled", "error": null}                                            | fails
        {"status": "cancelled", "error": null}                                           | fails
        {}                                                                               | no status
        {"status": null}                                                                 | no status
        {"status": ""}                                                                   | no status
        {"status": null, "error": null}                                                  | no status
        {"status": null, "error": {"code": "Busy", "message": null}}                     | Busy
        """)
    void the_state_of_an_operation_is_read_without_optional_fields(String document, String outcome) {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool("10.0.0.4"));
        String place = harness.arm.address() + "/operations/1";
        harness.arm
                .then(202, "", "Azure-AsyncOperation", place)
                .then(200, document)
                .then(200, Bodies.pool("10.0.0.9"));
        // when
        Reply<BackendPool> written = pools.write(pool, AddressSet.of("10.0.0.9"));
        // then
        String result = switch (written) {
            case Reply.Ok<BackendPool> ok -> "ok";
            case Reply.Failed<BackendPool>(Failure failure) -> failure.describe();
        };
        switch (outcome) {
            case "ok" -> assertThat(result).isEqualTo("ok");
            case "fails" -> assertThat(result).isNotEqualTo("ok").doesNotContain("null");
            default -> assertThat(result).contains(outcome).doesNotContain("null");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /name                              | ""  | fails    | fails      | fails
        /properties                        | {}  | fails    | fails      | fails
        /properties/backendAddressPools    | []  | fails    | fails      | no pools
        /tags                              | {}  | 10.0.0.4 | 10.0.0.4   | 10.0.0.4
        /properties/backendAddressPools/0/name | "" | fails | fails      | fails
        /properties/backendAddressPools/0/id | "" | 10.0.0.4 | 10.0.0.4  | fails
        /properties/backendAddressPools/0/etag | "" | 10.0.0.4 | 10.0.0.4 | 10.0.0.4
        /properties/backendAddressPools/0/properties | {} | no pools | no pools | nothing
        /properties/backendAddressPools/0/properties/provisioningState | "" | 10.0.0.4 | 10.0.0.4 | 10.0.0.4
        /properties/backendAddressPools/0/properties/loadBalancerBackendAddresses | [] | nothing | nothing | nothing
        /properties/backendAddressPools/0/properties/virtualNetwork | {} | 10.0.0.4 | 10.0.0.4 | 10.0.0.4
        /properties/backendAddressPools/0/properties/virtualNetwork/id | "" | 10.0.0.4 | 10.0.0.4 | 10.0.0.4
        """)
    void a_null_field_in_a_list_counts_as_absent(
            String field, String empty, String ifAbsent, String ifNull, String ifEmpty) throws Exception {
        assertThat(List.of(
                        listed("/value/0" + field, null),
                        listed("/value/0" + field, "null"),
                        listed("/value/0" + field, empty)))
                .containsExactly(ifAbsent, ifNull, ifEmpty);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /value     | [] | fails    | fails    | no pools
        /nextLink  | "" | 10.0.0.4 | 10.0.0.4 | 10.0.0.4
        /error     | {} | 10.0.0.4 | 10.0.0.4 | 10.0.0.4
        """)
    void a_null_field_of_a_page_counts_as_absent(
            String field, String empty, String ifAbsent, String ifNull, String ifEmpty) throws Exception {
        assertThat(List.of(listed(field, null), listed(field, "null"), listed(field, empty)))
                .containsExactly(ifAbsent, ifNull, ifEmpty);
    }

    /** What is read of a pool in a list in which one field has this value. */
    private String listed(String field, String value) throws Exception {
        String page = "{\"value\": [{\"name\": \"lb-2\", \"tags\": {\"a\": null}, \"properties\":"
                + " {\"backendAddressPools\": [" + POOL + "]}}], \"nextLink\": null, \"error\": null}";
        harness.arm.then(200, changed(page, field, value));
        return switch (pools.list()) {
            case Reply.Failed<List<BackendPool>>(Failure failure) -> "fails";
            case Reply.Ok<List<BackendPool>>(List<BackendPool> all) when all.isEmpty() -> "no pools";
            case Reply.Ok<List<BackendPool>>(List<BackendPool> all) ->
                all.getFirst().addresses().isEmpty()
                        ? "nothing"
                        : String.join(
                                " ",
                                all.getFirst().addresses().stream()
                                        .map(Object::toString)
                                        .toList());
        };
    }

    private String outcome(String field, String value) throws Exception {
        return sent(changed(POOL, field, value), field);
    }

    /** The result of reading this pool and adding an address: a refusal, or what is sent of the field. */
    private String sent(String body, String field) throws Exception {
        harness.arm.then(200, body);
        if (!(pools.read(SHOP_WEB) instanceof Reply.Ok<BackendPool>(BackendPool pool))) {
            return "fails";
        }
        int asked = harness.arm.asked().size();
        if (pool.unwritable().isEmpty() && pool.etag() != null) {
            harness.arm.then(200, Bodies.pool("10.0.0.4", "10.0.0.9"));
        }
        Reply<BackendPool> written = pools.write(pool, WANTED);
        if (harness.arm.asked().size() == asked) {
            return pool.unwritable().map(Enum::name).orElse("no ETag");
        }
        assertThat(ok(written).addresses()).isEqualTo(WANTED);
        JsonNode put = JsonMutator.JSON.readTree(harness.arm.asked().getLast().body());
        assertThat(put.at("/properties/loadBalancerBackendAddresses"))
                .extracting(entry -> entry.at("/properties/ipAddress").textValue())
                .containsExactly("10.0.0.4", "10.0.0.9");
        JsonNode sent = put.at(field);
        return sent.isMissingNode() ? "left out" : "sent " + sent;
    }

    /** The document with this value at a place; null to remove it. */
    private static String changed(String document, String place, String value) throws Exception {
        JsonNode tree = JsonMutator.JSON.readTree(document);
        int slash = place.lastIndexOf('/');
        JsonNode parent = tree.at(place.substring(0, slash));
        String field = place.substring(slash + 1);
        assertThat(parent.isObject() && !(parent instanceof ArrayNode)).isTrue();
        assertThat(parent.has(field)).as(place).isTrue();
        if (value == null) {
            ((ObjectNode) parent).remove(field);
        } else {
            ((ObjectNode) parent).set(field, JsonMutator.JSON.readTree(value));
        }
        return JsonMutator.JSON.writeValueAsString(tree);
    }

    @ParameterizedTest
    @CsvSource({
        "Automatic, AUTOMATIC",
        "automatic, AUTOMATIC",
        "AUTOMATIC, AUTOMATIC",
        "Manual, sent",
        "manual, sent",
        "'', sent"
    })
    void each_sync_mode_in_any_case(String mode, String outcome) throws Exception {
        assertThat(outcome("/properties/syncMode", "\"" + mode + "\"")).startsWith(outcome);
    }
}
