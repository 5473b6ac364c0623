package dev.poolkeeper.fake.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of an inventory and of a faults file, left out, as null and empty. */
class AbsentFieldsOfInventoriesTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INVENTORY = """
        {"nextLink": null, "value": [{"name": "lb", "tags": {}, "properties": {"backendAddressPools": [
         {"name": "p", "id": "/p", "etag": "1", "properties": {"provisioningState": "Succeeded",
          "syncMode": "Manual",
          "backendIPConfigurations": [{"id": "/c", "properties": {"privateLinkConnectionProperties": null}}],
          "loadBalancerBackendAddresses": [{"name": "n", "properties": {"ipAddress": "10.0.0.4",
           "loadBalancerFrontendIPConfiguration": {"id": "/f"}}}]}}]}}]}\
        """;
    private static final String POOL = "/value/0/properties/backendAddressPools/0";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /nextLink                                   | ""     | [10.0.0.4]     | [10.0.0.4]
        /value                                      | []     | value: is missing | no pools
        /value/0/name                               | ""     | name: is missing | name: is blank
        /value/0/tags                               | {}     | [10.0.0.4]     | [10.0.0.4]
        /value/0/properties                         | {}     | properties: is missing | no pools
        /value/0/properties/backendAddressPools     | []     | no pools       | no pools
        POOL/name                                   | ""     | name: is missing | name: is blank
        POOL/id                                     | ""     | [10.0.0.4]     | [10.0.0.4]
        POOL/etag                                   | ""     | [10.0.0.4]     | [10.0.0.4]
        POOL/properties                             | {}     | properties: is missing | []
        POOL/properties/provisioningState           | ""     | [10.0.0.4]     | [10.0.0.4]
        POOL/properties/syncMode                    | ""     | [10.0.0.4]     | [10.0.0.4]
        POOL/properties/backendIPConfigurations     | []     | [10.0.0.4]     | [10.0.0.4]
        POOL/properties/backendIPConfigurations/0/properties | {} | [10.0.0.4] | [10.0.0.4]
        POOL/properties/backendIPConfigurations/0/properties/privateLinkConnectionProperties | {} | [10.0.0.4] | PRIVATE_LINK
        POOL/properties/loadBalancerBackendAddresses | []    | NETWORK_INTERFACES | NETWORK_INTERFACES
        POOL/properties/loadBalancerBackendAddresses/0/name | "" | [10.0.0.4]  | [10.0.0.4]
        POOL/properties/loadBalancerBackendAddresses/0/properties | {} | NETWORK_INTERFACES | NETWORK_INTERFACES
        POOL/properties/loadBalancerBackendAddresses/0/properties/ipAddress | "" | CROSS_REGION | CROSS_REGION
        POOL/properties/loadBalancerBackendAddresses/0/properties/loadBalancerFrontendIPConfiguration | {} | [10.0.0.4] | [10.0.0.4]
        """)
    void of_an_inventory(String field, String empty, String ifAbsent, String ifEmpty) throws Exception {
        String place = field.replace("POOL", POOL);
        assertThat(inventory(changed(INVENTORY, place, null))).as("absent").contains(ifAbsent);
        assertThat(inventory(changed(INVENTORY, place, "null"))).as("null").contains(ifAbsent);
        assertThat(inventory(changed(INVENTORY, place, empty))).as("empty").contains(ifEmpty);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "none", delimiter = '|', textBlock = """
        {"id": "/f"} | CROSS_REGION
        {}           | CROSS_REGION
        null         | NETWORK_INTERFACES
        """)
    void of_an_entry_without_an_address(String frontend, String why) throws Exception {
        String entry = POOL + "/properties/loadBalancerBackendAddresses/0/properties/";
        String inventory = changed(INVENTORY, entry + "ipAddress", "null");
        assertThat(inventory(changed(inventory, entry + "loadBalancerFrontendIPConfiguration", frontend)))
                .isEqualTo(why);
    }

    private static final String FAULTS = """
        {"rules": [{"method": "PUT", "loadBalancer": "lb*", "pool": "p?", "fromMillis": 1, "untilMillis": 60000,
          "skip": 1, "times": 2, "status": 429, "retryAfterSeconds": 17, "code": "TooManyRequests", "share": 0.5,
          "seed": 3, "target": "resource", "delayMillis": 5, "body": "truncated", "retryAfterDate": true}],
         "lease": [{"fromMillis": 11000, "untilMillis": 16500}]}\
        """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /rules                    | [] | rules=[]
        /lease                    | [] | lease=[]
        /rules/0/method           | *  | method=*,
        /rules/0/fromMillis       | 0  | from=PT0S,
        /rules/0/untilMillis      | *  | until=null,
        /rules/0/skip             | 0  | skip=0,
        /rules/0/times            | *  | times=null,
        /rules/0/status           | *  | status=null,
        /rules/0/code             | *  | code=null,
        /rules/0/delayMillis      | 0  | delay=PT0S
        /rules/0/target           | *  | target=RESOURCE
        /rules/0/body             | *  | body=null
        /rules/0/retryAfterDate   | false | retryAfterDate=false
        /rules/0/share            | *  | share: is
        /rules/0/retryAfterSeconds | * | retryAfterDate: found true
        /lease/0/fromMillis       | *  | fromMillis: is missing
        /lease/0/untilMillis      | *  | untilMillis: is missing
        """)
    void of_a_faults_file(String field, String empty, String read) throws Exception {
        if (field.endsWith("/share")) {
            assertThat(faults(changed(FAULTS, field, null))).contains("seed: applies only together with share");
            assertThat(faults(changed(FAULTS, field, "null"))).contains("seed: applies only together with share");
            return;
        }
        assertThat(faults(changed(FAULTS, field, null))).as("absent").contains(read);
        assertThat(faults(changed(FAULTS, field, "null"))).as("null").contains(read);
        if (!empty.equals("*")) {
            assertThat(faults(changed(FAULTS, field, empty))).as("empty").contains(read);
        }
    }

    private static String inventory(String json) throws Exception {
        try {
            Inventory read = Inventory.read(new ByteArrayInputStream(json.getBytes("UTF-8")), "inventory");
            List<StoredPool> pools = read.loadBalancers().stream()
                    .flatMap(lb -> lb.pools().stream())
                    .toList();
            return pools.isEmpty()
                    ? "no pools"
                    : pools.getFirst()
                            .unwritable()
                            .map(Enum::name)
                            .orElse(pools.getFirst().addresses().toString());
        } catch (BadInputException e) {
            return e.getMessage();
        }
    }

    private static String faults(String json) throws Exception {
        try {
            return Faults.read(new ByteArrayInputStream(json.getBytes("UTF-8")), "faults")
                    .toString();
        } catch (BadInputException e) {
            return e.getMessage();
        }
    }

    /** The document with this value at a place; null to remove it. */
    private static String changed(String document, String place, String value) throws Exception {
        JsonNode tree = JSON.readTree(document);
        int slash = place.lastIndexOf('/');
        JsonNode parent = tree.at(place.substring(0, slash));
        String field = place.substring(slash + 1);
        assertThat(parent.has(field)).as(place).isTrue();
        if (value == null) {
            ((ObjectNode) parent).remove(field);
        } else {
            ((ObjectNode) parent).set(field, JSON.readTree(value));
        }
        return tree.toString();
    }
}
