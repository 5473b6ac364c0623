package dev.poolkeeper.emulators.arm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.emulators.arm.ArmClient.Answer;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ResourcesTest {

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(Inventories.two());

    private ArmEmulator arm;
    private ArmClient client;

    @BeforeEach
    void client() {
        arm = extension.emulator();
        client = new ArmClient(arm);
    }

    @Test
    void the_inventory_names_its_subscription_and_resource_group() {
        assertThat(arm.subscription()).isEqualTo(Inventories.SUBSCRIPTION);
        assertThat(arm.resourceGroup()).isEqualTo("mc_rg");
    }

    @Test
    void every_resource_of_the_inventory_is_served() throws Exception {
        Answer answer = client.get(client.loadBalancers() + "/Kubernetes");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/tags/team").asText()).isEqualTo("edge");
        assertThat(answer.json()
                        .at("/properties/frontendIPConfigurations/0/name")
                        .asText())
                .isEqualTo("fe");
        var pool = answer.json().at("/properties/backendAddressPools/0/properties");
        assertThat(pool.at("/loadBalancingRules/0/id").asText()).isEqualTo("/rule");
        assertThat(pool.at("/drainPeriodInSeconds").asInt()).isEqualTo(30);
        assertThat(pool.at("/loadBalancerBackendAddresses/0/properties/networkInterfaceIPConfiguration/id")
                        .asText())
                .isEqualTo("/nic");
    }

    @Test
    void names_match_in_any_case_and_are_shown_in_the_inventorys_spelling() throws Exception {
        Answer answer = client.get(client.pool("KUBERNETES", "Shop%2DWeb")
                .replace("mc_rg", "MC_RG")
                .replace("resourceGroups", "resourcegroups"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("name").asText()).isEqualTo("shop-web");
        assertThat(arm.requests().getFirst().loadBalancer()).isEqualTo("Kubernetes");
        assertThat(arm.requests().getFirst().pool()).isEqualTo("shop-web");
    }

    @Test
    void a_load_balancer_and_its_pools_share_one_etag() throws Exception {
        Answer loadBalancer = client.get(client.loadBalancers() + "/kubernetes");
        Answer pool = client.get(client.pool("kubernetes", "shop-api"));

        assertThat(pool.etag()).isEqualTo(loadBalancer.etag()).isEqualTo("W/\"lb\"");
        assertThat(pool.header("ETag")).isEqualTo(pool.etag());
        assertThat(loadBalancer
                        .json()
                        .at("/properties/frontendIPConfigurations/0/etag")
                        .asText())
                .isEqualTo("W/\"lb\"");
    }

    @Test
    void a_write_to_one_pool_outdates_the_etag_of_another() throws Exception {
        String etag = client.get(client.pool("kubernetes", "shop-api")).etag();
        client.put(client.pool("kubernetes", "shop-web"), ArmClient.poolWith("10.0.0.9"), "If-Match", etag);

        Answer late =
                client.put(client.pool("kubernetes", "shop-api"), ArmClient.poolWith("10.0.0.9"), "If-Match", etag);

        assertThat(late.status()).isEqualTo(412);
        assertThat(late.code()).isEqualTo("PreconditionFailed");
        assertThat(late.json().at("/error/details/0/code").asText()).isEqualTo("PreconditionFailedEtagMismatch");
        assertThat(arm.cloud().addresses(PoolKey.of("kubernetes", "shop-api"))).contains(AddressSet.empty());
    }

    @Test
    void with_an_etag_per_pool_a_write_does_not_outdate_other_pools() throws Exception {
        arm.change(settings -> settings.withEtagScope(EtagScope.POOL));
        String etag = client.get(client.pool("kubernetes", "shop-api")).etag();
        client.put(client.pool("kubernetes", "shop-web"), ArmClient.poolWith("10.0.0.9"));

        Answer late =
                client.put(client.pool("kubernetes", "shop-api"), ArmClient.poolWith("10.0.0.9"), "If-Match", etag);

        assertThat(late.status()).isEqualTo(201);
    }

    @Test
    void if_match_is_ignored_on_a_read() throws Exception {
        assertThat(client.get(client.pool("kubernetes", "shop-api"), "If-Match", "W/\"x\"")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_put_replaces_writable_fields_and_keeps_read_only_ones() throws Exception {
        Answer put = client.put(client.pool("kubernetes", "shop-web"), ArmClient.poolWith("10.0.0.4", "fd00::1"));

        assertThat(put.status()).isEqualTo(201);
        Answer got = client.get(client.pool("kubernetes", "shop-web"));
        var properties = got.json().path("properties");
        assertThat(properties.has("drainPeriodInSeconds")).isFalse();
        assertThat(properties.has("virtualNetwork")).isFalse();
        assertThat(properties.at("/loadBalancingRules/0/id").asText()).isEqualTo("/rule");
        assertThat(properties
                        .at("/loadBalancerBackendAddresses/0/properties/networkInterfaceIPConfiguration/id")
                        .asText())
                .isEqualTo("/nic");
        assertThat(arm.cloud().addresses(PoolKey.of("kubernetes", "shop-web")))
                .contains(AddressSet.of("10.0.0.4", "fd00::1"));
    }

    @Test
    void direct_changes_are_visible_at_once() throws Exception {
        String etag = client.get(client.pool("kubernetes", "shop-web")).etag();
        arm.cloud().putPool(PoolKey.of("kubernetes", "shop-web"), AddressSet.of("10.9.9.9"));

        Answer answer = client.get(client.pool("kubernetes", "shop-web"));

        assertThat(answer.etag()).isNotEqualTo(etag);
        assertThat(answer.json()
                        .at("/properties/loadBalancerBackendAddresses/0/properties/ipAddress")
                        .asText())
                .isEqualTo("10.9.9.9");
    }

    @Test
    void lists_come_in_pages() throws Exception {
        arm.change(settings -> settings.withPageSize(1));
        List<String> names = new ArrayList<>();

        String next = client.loadBalancers();
        while (!next.isEmpty()) {
            Answer page = client.get(next);
            page.json()
                    .path("value")
                    .forEach(item -> names.add(item.path("name").asText()));
            next = page.json().path("nextLink").asText();
        }

        assertThat(names).containsExactly("Kubernetes", "other");
    }

    @Test
    void all_load_balancers_of_a_subscription_can_be_listed() throws Exception {
        Answer all = client.get("/subscriptions/" + arm.subscription() + "/providers/microsoft.network/loadBalancers");

        assertThat(all.json().path("value")).hasSize(2);
        assertThat(all.header("ETag")).isNull();
    }

    @Test
    void a_deleted_pool_is_gone_and_deleting_it_again_is_no_error() throws Exception {
        Answer deleted = client.delete(client.pool("kubernetes", "shop-api"));

        assertThat(deleted.status()).isEqualTo(202);
        assertThat(client.get(client.pool("kubernetes", "shop-api")).status()).isEqualTo(404);
        assertThat(client.delete(client.pool("kubernetes", "shop-api")).status())
                .isEqualTo(204);
        assertThat(client.get(deleted.header("Location")).status()).isEqualTo(204);
    }

    @Test
    void a_load_balancer_can_be_put_with_its_pools() throws Exception {
        Answer put = client.put(client.loadBalancers() + "/new", """
            {"location": "westeurope", "sku": {"name": "Standard"}, "properties": {"backendAddressPools": [
              {"name": "a", "properties": {"loadBalancerBackendAddresses": [
                {"name": "n", "properties": {"ipAddress": "10.0.0.7"}}]}}]}}\
            """);

        assertThat(put.status()).isEqualTo(201);
        assertThat(put.json().at("/sku/tier").asText()).isEqualTo("Regional");
        assertThat(client.get(client.pool("new", "a")).etag()).isEqualTo(put.etag());
        assertThat(client.put(client.loadBalancers() + "/new", put.response().body())
                        .status())
                .isEqualTo(200);
        assertThat(arm.cloud().spelledAddresses(PoolKey.of("new", "a"))).containsExactly("10.0.0.7");
    }

    @Test
    void a_patch_replaces_only_the_tags() throws Exception {
        String path = client.loadBalancers() + "/kubernetes";
        Answer before = client.get(path);

        Answer patched = client.call("PATCH", path, "{\"tags\":{\"owner\":\"net\"}}", "If-Match", before.etag());

        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.json().path("tags").toString()).isEqualTo("{\"owner\":\"net\"}");
        assertThat(patched.json().at("/properties/backendAddressPools")).hasSize(2);
        assertThat(patched.etag()).isNotEqualTo(before.etag());
        assertThat(client.get(path).json()).isEqualTo(patched.json());
    }

    @Test
    void an_outdated_patch_or_one_of_an_unknown_resource_changes_nothing() throws Exception {
        String path = client.loadBalancers() + "/kubernetes";
        String tags = "{\"tags\":{}}";

        assertThat(client.call("PATCH", path, tags, "If-Match", "W/\"old\"").status())
                .isEqualTo(412);
        assertThat(client.call("PATCH", path, "{\"tags\":1}").status()).isEqualTo(400);
        assertThat(client.call("PATCH", client.loadBalancers() + "/none", tags).status())
                .isEqualTo(404);
        assertThat(client.get(path).json().at("/tags/team").asText()).isEqualTo("edge");
    }
}
