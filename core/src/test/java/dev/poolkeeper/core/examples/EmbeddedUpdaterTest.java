package dev.poolkeeper.core.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.ManualClock;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** The example in {@code docs/embedding.md} does what it says, and stands there as it is here. */
class EmbeddedUpdaterTest {

    @Test
    void fed_with_a_cluster_and_ticked_it_keeps_the_pool_in_step() {
        // given
        ManualClock clock = new ManualClock();
        PoolKey pool = PoolKey.of("kubernetes", "shop-web");
        ServiceName web = new ServiceName("shop", "web");
        FakeCloud cloud = new FakeCloud(clock);
        cloud.putPool(pool, AddressSet.empty());
        cloud.faults().add(FaultRule.always(409).forMethod("PUT").times(1));
        FakeServiceEvents events = new FakeServiceEvents(clock);
        EmbeddedUpdater embedded =
                new EmbeddedUpdater(cloud, cloud, new FakeResourceLock(), events, new ReentrantLock(), clock);
        // when
        embedded.refreshDirectory();
        ClusterListener cluster = embedded.cluster();
        cluster.nodeChanged(new NodeState("node-1", Map.of(), List.of("10.0.0.4")));
        cluster.serviceChanged(new ServiceState(web, "LoadBalancer", "Local", List.of("IPv4")));
        cluster.sliceChanged(new EndpointSliceState("shop", "web-x7k2p", web, "IPv4", List.of("node-1")));
        embedded.tick();
        embedded.tick();
        embedded.stop();
        // then
        assertThat(cloud.addresses(pool)).contains(AddressSet.of("10.0.0.4"));
        assertThat(events.events())
                .extracting(ServiceEvent::reason)
                .containsExactly(ServiceEvent.Reason.RETRYING, ServiceEvent.Reason.UPDATED);
    }

    @Test
    void the_page_shows_this_very_class() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/poolkeeper/core/examples/EmbeddedUpdater.java"));

        assertThat(Path.of("../docs/embedding.md")).content().contains("```java\n" + source + "```");
    }
}
