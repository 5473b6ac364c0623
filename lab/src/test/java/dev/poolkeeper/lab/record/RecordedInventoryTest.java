package dev.poolkeeper.lab.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Unwritable;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecordedInventoryTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    static Stream<Arguments> refusals() {
        return Stream.concat(
                        Stream.of(Optional.<Unwritable>empty()),
                        Stream.of(Unwritable.values()).map(Optional::of))
                .flatMap(why -> Stream.of(AddressSet.empty(), AddressSet.of("10.0.0.4"))
                        .map(addresses -> Arguments.of(why, addresses)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @Rule(
            id = "F2",
            says = "A recorded inventory keeps what makes a pool unwritable and its provisioningState, so that a"
                    + " replay of it writes no pool that the daemon would refuse to write.",
            source = "ours; kubernetes-sigs/cloud-provider-azure#7432")
    void a_recorded_pool_is_as_writable_as_the_pool_was(Optional<Unwritable> why, AddressSet addresses)
            throws Exception {
        // given
        StringWriter recorded = new StringWriter();
        RecordedInventory.write(
                List.of(new BackendPool(POOL, addresses, null, null, ProvisioningState.FAILED, why)), recorded);
        // when
        FakeCloud cloud = new FakeCloud(
                new FakeTime(),
                Inventory.read(
                        new ByteArrayInputStream(recorded.toString().getBytes(StandardCharsets.UTF_8)), "recorded"),
                Faults.NONE,
                call -> {});
        BackendPool read = ((Reply.Ok<BackendPool>) cloud.read(POOL)).value();
        Reply<BackendPool> written = cloud.write(read, AddressSet.of("10.0.0.9"));
        // then
        assertThat(read.addresses()).isEqualTo(addresses);
        assertThat(read.unwritable()).isEqualTo(why);
        assertThat(written)
                .isEqualTo(why.<Reply<BackendPool>>map(refusal -> Reply.failed(refusal.refusal(POOL)))
                        .orElse(written));
        assertThat(cloud.calls()).hasSize(why.isPresent() ? 1 : 2); // a refused write is not sent
        assertThat(recorded.toString()).contains("\"provisioningState\" : \"Failed\"");
    }

    @Test
    void each_pool_is_recorded_once_under_its_load_balancer() throws Exception {
        StringWriter recorded = new StringWriter();
        RecordedInventory.write(
                List.of(
                        new BackendPool(PoolKey.of("lb-2", "b"), AddressSet.of("10.0.0.1", "10.0.0.2"), null, null),
                        new BackendPool(PoolKey.of("lb-1", "b"), AddressSet.of("fd12::A"), "etag", "source"),
                        new BackendPool(PoolKey.of("lb-2", "a"), AddressSet.empty(), null, null)),
                recorded);
        assertThat(recorded.toString().replaceAll("\\s", "")).isEqualTo("""
            {"value":[{"name":"lb-2","properties":{"backendAddressPools":[
            {"name":"b","properties":{"provisioningState":"Succeeded","loadBalancerBackendAddresses":[
            {"name":"10.0.0.1","properties":{"ipAddress":"10.0.0.1"}},
            {"name":"10.0.0.2","properties":{"ipAddress":"10.0.0.2"}}]}},
            {"name":"a","properties":{"provisioningState":"Succeeded","loadBalancerBackendAddresses":[]}}]}},
            {"name":"lb-1","properties":{"backendAddressPools":[
            {"name":"b","properties":{"provisioningState":"Succeeded","loadBalancerBackendAddresses":[
            {"name":"fd12::A","properties":{"ipAddress":"fd12::A"}}]}}]}}]}
            """.replace("\n", ""));
    }
}
