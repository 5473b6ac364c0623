package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmEmulatorExtension;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.CloudMemory;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two clusters in one resource group, over TLS. */
class ClusterSelectionTest {

    private static final AddressSet WANTED = AddressSet.of("10.0.0.4", "10.0.0.9");

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(EmulatedCluster.inventory(
            "blue cluster=Blue", "Blue-Internal CLUSTER=Blue", "blue-2 cluster=blue", "green owner=Blue", "untagged"));

    @TempDir
    Path folder;

    private ArmEmulator arm;
    private EmulatedCluster group;

    @BeforeEach
    void start() throws Exception {
        arm = extension.emulator();
        group = new EmulatedCluster(arm, folder, new FakeTime());
    }

    private static List<String> loadBalancers(AzurePools pools) {
        return ok(pools.list()).stream()
                .map(pool -> pool.key().loadBalancer().toString())
                .toList();
    }

    @Test
    void without_a_selection_every_load_balancer_counts() {
        assertThat(loadBalancers(group.pools(LoadBalancerSelection.all())))
                .containsExactly("blue", "Blue-Internal", "blue-2", "green", "untagged");
    }

    @Test
    @Rule(
            id = "A14",
            says = "Load balancers selected by name are exactly those with the names and their -internal"
                    + " counterparts, case-insensitive.",
            source = "Cloud provider, multipleStandardLoadBalancerConfigurations")
    void names_select_themselves_and_their_internal_twins() {
        assertThat(loadBalancers(group.pools(LoadBalancerSelection.named(List.of("BLUE", "gree")))))
                .containsExactly("blue", "Blue-Internal");
    }

    @ParameterizedTest
    @CsvSource({"cluster, Blue, blue Blue-Internal", "Cluster, blue, blue-2", "cluster, B, ''", "cluster, '', ''"})
    @Rule(
            id = "A15",
            says = "Load balancers selected by tag are those with the tag: its name is case-insensitive, its"
                    + " value case-sensitive.",
            source = "Azure Resource Manager, tags")
    void a_tag_matches_its_name_in_any_case_and_its_value_exactly(String name, String value, String selected) {
        assertThat(String.join(" ", loadBalancers(group.pools(LoadBalancerSelection.tagged(name, value)))))
                .isEqualTo(selected);
    }

    @Test
    @Rule(
            id = "A16",
            says = "A pool of a load balancer of another cluster is neither read nor written: no request is"
                    + " sent, and the failure is terminal.",
            source = "ours")
    void a_pool_of_another_cluster_is_refused_without_a_request() {
        // given
        AzurePools blue = group.pools(LoadBalancerSelection.named(List.of("blue")));
        AzurePools green = group.pools(LoadBalancerSelection.named(List.of("green")));
        BackendPool ofGreen = ok(green.read(PoolKey.of("green", "shop-web")));
        arm.clearRequests();
        // when
        Failure read = failure(blue.read(PoolKey.of("green", "shop-web")));
        Failure write = failure(blue.write(ofGreen, WANTED));
        // then
        assertThat(arm.requests()).isEmpty();
        assertThat(read)
                .isEqualTo(write)
                .isEqualTo(Failure.Other.terminal("load balancer green is not known to belong to this cluster"
                        + " (load balancers blue, blue-internal): its pools are left alone"));
    }

    @Test
    @Rule(id = "A17", says = "Two clusters in one resource group never touch each other's pools.", source = "ours")
    void two_clusters_in_one_resource_group_never_touch_each_others_pools() {
        // given
        AzurePools blue = group.pools(LoadBalancerSelection.tagged("cluster", "Blue"));
        AzurePools green = group.pools(LoadBalancerSelection.named(List.of("green")));
        // when
        assertThat(loadBalancers(blue)).containsExactly("blue", "Blue-Internal");
        assertThat(loadBalancers(green)).containsExactly("green");
        arm.clearRequests();
        for (String loadBalancer : List.of("blue", "blue-internal", "blue-2", "green", "untagged")) {
            PoolKey key = PoolKey.of(loadBalancer, "shop-web");
            if (blue.read(key) instanceof Reply.Ok<BackendPool>(BackendPool pool)) {
                ok(blue.write(pool, WANTED));
            }
        }
        // then
        assertThat(arm.requests()).extracting(AnsweredRequest::loadBalancer).containsOnly("blue", "Blue-Internal");
        assertThat(arm.requests()).filteredOn(AnsweredRequest::isWrite).hasSize(2);
        assertThat(arm.cloud().addresses(PoolKey.of("green", "shop-web"))).contains(AddressSet.of("10.0.0.4"));
    }

    @Test
    void a_tagged_load_balancer_counts_once_listed_and_a_failed_listing_changes_nothing() {
        // given
        AzurePools blue = group.pools(LoadBalancerSelection.tagged("cluster", "Blue"));
        PoolKey web = PoolKey.of("BLUE", "shop-web");
        // when, then
        assertThat(failure(blue.read(web)).describe()).contains("cluster=Blue");
        ok(blue.list());
        ok(blue.read(web));
        arm.faults().add(FaultRule.always(403).https(HttpsFault.NONE.target(HttpsFault.Target.LIST)));
        assertThat(failure(blue.list())).isInstanceOf(Failure.HttpError.class);
        ok(blue.read(web));
    }

    @Test
    void a_load_balancer_that_lost_its_tag_is_left_alone_once_that_was_listed() {
        // given
        AzurePools blue = group.pools(LoadBalancerSelection.tagged("cluster", "Blue"));
        PoolKey web = PoolKey.of("blue", "shop-web");
        ok(blue.list());
        ok(blue.read(web));
        // when
        CloudMemory memory = arm.cloud().memory();
        StoredLoadBalancer tagged = memory.loadBalancer(ArmName.of("blue")).orElseThrow();
        ObjectNode untagged = tagged.json().deepCopy().without("tags");
        memory.write(new StoredLoadBalancer(tagged.name(), tagged.etag(), untagged), memory.pools(tagged.name()));
        ok(blue.list());
        // then
        assertThat(failure(blue.read(web)).describe()).contains("cluster=Blue");
    }
}
