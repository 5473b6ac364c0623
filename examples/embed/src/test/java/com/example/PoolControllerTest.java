package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** The controller against a cloud in memory that refuses once, on a clock that only the test moves. */
class PoolControllerTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("kubernetes", "shop-web");

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeServiceEvents events = new FakeServiceEvents(time);

    @Test
    void a_pod_brings_its_node_into_the_pool_though_azure_refuses_once() {
        cloud.putPool(POOL, AddressSet.empty());
        cloud.faults().add(FaultRule.always(409).forMethod("PUT").times(1));
        boolean[] synced = {false};
        PoolController controller =
                new PoolController(cloud, cloud, events, new ReentrantLock(), () -> synced[0], time);
        controller.cluster().nodeChanged(new NodeState("node-1", Map.of(), List.of("10.0.0.4")));
        controller.cluster().serviceChanged(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4")));
        controller.lead();

        controller.cluster().sliceChanged(new EndpointSliceState("shop", "web-x7k2p", WEB, "IPv4", List.of("node-1")));
        time.advance(Duration.ofSeconds(5));
        controller.step();
        assertEquals(List.of(), cloud.calls(), "nothing is known to be missing before all was reported");

        synced[0] = true;
        Instant end = time.instant().plus(Duration.ofSeconds(40));
        for (Instant next = controller.step(); next.isBefore(end); next = controller.step()) {
            time.advanceTo(next);
        }

        assertEquals(AddressSet.of("10.0.0.4"), cloud.addresses(POOL).orElseThrow());
        assertEquals(
                List.of(ServiceEvent.Reason.RETRYING, ServiceEvent.Reason.UPDATED),
                events.events().stream().map(ServiceEvent::reason).toList());
        controller.stop();
    }
}
