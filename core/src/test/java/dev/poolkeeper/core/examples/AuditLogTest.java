package dev.poolkeeper.core.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditLogTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final EndpointIndex view = new EndpointIndex(time);
    private final List<String> lines = new ArrayList<>();
    private final Engine engine = Engine.builder(view, cloud, cloud, time)
            .settings(EngineSettings.DEFAULT.withPace(new Pace.Tick(SECOND)))
            .facts(new AuditLog(lines::add))
            .hasSynced(() -> true)
            .build();

    @Test
    void writes_and_what_was_given_up_are_logged() {
        ServiceName web = new ServiceName("shop", "web");
        cloud.putPool(PoolKey.of("lb-1", "shop-web"), AddressSet.of("10.0.0.9"));
        view.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.4")));
        view.serviceChanged(new ServiceState(web, "LoadBalancer", "Local", List.of("IPv4")));
        engine.startLeading(Term.untilEnded());
        cloud.faults().add(FaultRule.always(409).forMethod("PUT").times(1));
        endpoints(web, "n1");
        cloud.faults().add(FaultRule.always(400).forMethod("PUT").times(1));
        endpoints(web);

        assertThat(lines)
                .containsExactly(
                        "lb-1/shop-web +[10.0.0.4] -[10.0.0.9] attempt 2 after 2000 ms",
                        "lb-1/shop-web gave up: HTTP 400");
    }

    private void endpoints(ServiceName service, String... nodes) {
        view.sliceChanged(new EndpointSliceState("shop", "web-a", service, "IPv4", List.of(nodes)));
        for (int i = 0; i < 4; i++) {
            time.advance(SECOND);
            engine.step();
        }
    }

    @Test
    void the_page_shows_this_class() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/poolkeeper/core/examples/AuditLog.java"));

        assertThat(Path.of("../docs/embedding.md")).content().contains("```java\n" + source + "```");
    }
}
