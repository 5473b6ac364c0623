package dev.poolkeeper.fake.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Unwritable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inventories in ARM's shape and in that of the Azure CLI, which leaves out properties at any level. */
class FlatInventoryTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    private static BackendPool read(String inventory) throws BadInputException, IOException {
        FakeCloud cloud = new FakeCloud(
                new FakeTime(),
                Inventory.read(new ByteArrayInputStream(inventory.getBytes(StandardCharsets.UTF_8)), "inventory"),
                Faults.NONE,
                call -> {});
        return ((Reply.Ok<BackendPool>) cloud.read(POOL)).value();
    }

    /** A load balancer with one pool; an L, a P or an E nests the fields of load balancer, pool or entries. */
    private static String inventory(String nested, String ofPool) {
        String entry = wrapped(nested.contains("E"), "\"ipAddress\": \"10.0.0.4\", \"adminState\": null");
        String pool = wrapped(
                nested.contains("P"),
                ofPool + "\"provisioningState\": \"Succeeded\", \"loadBalancerBackendAddresses\": [{\"name\": \"n\", "
                        + entry + "}]");
        String loadBalancer = wrapped(
                nested.contains("L"),
                "\"backendAddressPools\": [{\"name\": \"shop-web\", \"resourceGroup\": \"g\", " + pool + "}]");
        return "{\"value\": [{\"name\": \"lb-1\", \"sku\": {\"name\": \"Standard\"}, " + loadBalancer + "}]}";
    }

    private static String wrapped(boolean nested, String fields) {
        return nested ? "\"properties\": {" + fields + "}" : fields;
    }

    @ParameterizedTest
    @ValueSource(strings = {"LPE", "LP", "LE", "PE", "L", "P", "E", ""})
    @Rule(
            id = "F3",
            says = "An inventory may be flat at any level, as az network lb list prints it; a load balancer or a pool"
                    + " of which no property is known is a fault, never empty.",
            source = "ours; Azure/azure-cli aaz/latest/network/lb/_list.py")
    void every_level_may_be_flat(String nested) throws Exception {
        BackendPool pool = read(inventory(nested, ""));

        assertThat(pool.addresses()).isEqualTo(AddressSet.of("10.0.0.4"));
        assertThat(pool.unwritable()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"syncMode\": \"Automatic\", | AUTOMATIC",
                "\"syncMode\": \"automatic\", | AUTOMATIC",
                "\"syncMode\": \"Manual\", |",
                "\"syncMode\": null, |",
                "\"backendIPConfigurations\": [{\"privateLinkConnectionProperties\": {\"fqdns\": []}}], | PRIVATE_LINK",
                "\"backendIPConfigurations\": [{\"privateLinkConnectionProperties\": {}}], | PRIVATE_LINK",
                "\"backendIPConfigurations\": [{\"privateLinkConnectionProperties\": null}], |",
                "\"backendIPConfigurations\": [{\"id\": \"x\"}], |",
                "\"backendIPConfigurations\": [], |",
                "\"backendIPConfigurations\": null, |"
            })
    void what_makes_a_pool_unwritable_is_found_at_every_level(String field, Unwritable why) throws Exception {
        assertThat(read(inventory(
                                        "LPE",
                                        field.replace("[{\"priv", "[{\"properties\": {\"priv")
                                                .replace("}],", "}}],"))
                                .replace("{\"id\": \"x\"}}]", "{\"id\": \"x\"}]"))
                        .unwritable())
                .isEqualTo(java.util.Optional.ofNullable(why));
        assertThat(read(inventory("", field)).unwritable()).isEqualTo(java.util.Optional.ofNullable(why));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"value\": [{\"name\": \"lb-1\"}]}",
                "{\"value\": [{\"name\": \"lb-1\", \"properties\": null}]}",
                "{\"value\": [{\"name\": \"lb-1\", \"properties\": {\"backendAddressPools\": [{\"name\": \"p\"}]}}]}",
                "{\"value\": [{\"name\": \"lb-1\", \"backendAddressPools\": [{\"name\": \"p\", \"id\": \"/p\"}]}]}"
            })
    void a_resource_without_properties_is_a_fault(String inventory) {
        assertThatThrownBy(() -> read(inventory))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("properties: is missing, must hold ");
    }
}
