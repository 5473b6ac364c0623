package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The log at {@code INFO}. Node {@code nK} has the address {@code 10.0.0.K}. */
class EngineLogTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Duration TICK = Duration.ofSeconds(30);

    private ProvisioningState shown = ProvisioningState.SUCCEEDED;
    private @Nullable Failure listingFailure;
    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeCluster cluster = new FakeCluster();
    private final FakeResourceLock lock = new FakeResourceLock();
    private final EndpointIndex index = new EndpointIndex(time);
    private final Engine engine = Engine.builder(index, new ShowingStates(), this::list, time)
            .hasSynced(() -> true)
            .settings(EngineSettings.DEFAULT.withPace(Pace.TICK))
            .resourceLock(lock)
            .build();

    @RegisterExtension
    final Logged logged = new Logged("dev.poolkeeper.core", Level.INFO);

    /** Shows the pool in a state that the next write ends. */
    private final class ShowingStates implements BackendPools {

        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return shown(cloud.read(pool, context));
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            shown = ProvisioningState.SUCCEEDED;
            return shown(cloud.write(read, addresses, context));
        }

        private Reply<BackendPool> shown(Reply<BackendPool> reply) {
            return reply instanceof Reply.Ok<BackendPool>(BackendPool pool)
                    ? Reply.ok(new BackendPool(
                            pool.key(), pool.addresses(), pool.etag(), pool.source(), shown, pool.unwritable()))
                    : reply;
        }
    }

    private Reply<List<BackendPool>> list() {
        Failure failure = listingFailure;
        return failure == null ? cloud.list() : Reply.failed(failure);
    }

    @BeforeEach
    void lead() {
        cluster.listen(index);
        IntStream.rangeClosed(1, 60)
                .forEach(node -> cluster.put(new NodeState("n" + node, Map.of(), List.of("10.0.0." + node))));
        cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
        service(false);
        endpoints(1);
        engine.startLeading(Term.untilEnded());
        tick();
    }

    private void service(boolean paused) {
        cluster.put(new ServiceState(WEB, "LoadBalancer", "Local", List.of("IPv4"))
                .withAnnotations(paused ? Map.of(ServiceState.PAUSED_ANNOTATION, "true") : Map.of()));
    }

    private void endpoints(int... nodes) {
        cluster.put(new EndpointSliceState(
                "shop",
                "web-1",
                WEB,
                "IPv4",
                IntStream.of(nodes).mapToObj(node -> "n" + node).toList()));
    }

    private void tick() {
        time.advance(TICK);
        while (!engine.step().isAfter(time.instant())) {
            // listed: further steps are due
        }
    }

    private void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    /** The log entries since the last call. */
    private List<String> log() {
        List<String> lines = logged.list.stream().map(EngineLogTest::line).toList();
        logged.list.clear();
        return lines;
    }

    private static String line(ILoggingEvent event) {
        return event.getLevel() + " " + event.getFormattedMessage()
                + (event.getKeyValuePairs() == null
                        ? ""
                        : event.getKeyValuePairs().stream()
                                .map(pair -> " " + pair.key + "=" + pair.value)
                                .collect(Collectors.joining()));
    }

    @Test
    @Rule(
            id = "O11",
            says = "Each written pool is one line at INFO: Service, load balancer, pool, added and removed addresses,"
                    + " the attempt, and the time since the change.",
            source = "ours")
    void each_written_pool_is_logged_in_one_line() {
        log();
        endpoints(2, 3);
        ticks(2);

        assertThat(log())
                .containsExactly("INFO Updated a backend pool loadBalancer=lb-1 pool=shop-web service=shop/web"
                        + " added=[10.0.0.2, 10.0.0.3] removed=[10.0.0.1] attempt=1 sinceChange=30 s");
    }

    @Test
    void a_pool_that_is_written_again_without_a_change_is_logged_as_such() {
        log();
        cloud.faults().add(FaultRule.always(409).times(1));
        endpoints(2);
        tick();
        endpoints(1);
        shown = ProvisioningState.FAILED;
        ticks(1);

        assertThat(log())
                .last()
                .isEqualTo("INFO Wrote a backend pool again, because the last operation on it had failed"
                        + " loadBalancer=lb-1 pool=shop-web service=shop/web added=[] removed=[] attempt=1"
                        + " sinceChange=60 s");
    }

    @Test
    void a_retry_is_logged_with_its_attempt_number() {
        log();
        cloud.faults().add(FaultRule.always(409).times(1));
        endpoints(1, 2);
        ticks(2);

        assertThat(log())
                .containsExactly(
                        "INFO Requeued a failed update service=shop/web loadBalancer=lb-1 pool=shop-web attempt=1"
                                + " failure=HTTP 409",
                        "INFO Updated a backend pool loadBalancer=lb-1 pool=shop-web service=shop/web"
                                + " added=[10.0.0.2] removed=[] attempt=2 sinceChange=60 s");
    }

    @Test
    void the_first_comparison_counts_updates_that_were_queued_before_it() {
        engine.stopLeading();
        engine.startLeading(Term.untilEnded());
        endpoints(2);
        log();
        ticks(1);

        assertThat(log()).startsWith("INFO Compared all pools with the wanted addresses pools=1 queued=1");
    }

    @Test
    void a_long_list_of_addresses_is_abbreviated_with_a_count() {
        log();
        endpoints(IntStream.rangeClosed(1, 60).toArray());
        tick();

        assertThat(log())
                .singleElement()
                .asString()
                .contains("10.0.0.21 and 39 more]")
                .doesNotContain("10.0.0.22");
    }

    @Test
    @Rule(
            id = "O12",
            says = "Each state is logged when it begins and when it ends, whatever the number of ticks in between: the"
                    + " resource lock held by another writer, a pause, a removal held by the safety brake, a load"
                    + " balancer that denies access, a failing listing. Without problems nothing is logged.",
            source = "ours")
    void without_changes_nothing_is_logged() {
        assertThat(log()).containsExactly("INFO Compared all pools with the wanted addresses pools=1 queued=0");
        ticks(120);
        assertThat(log()).isEmpty();
    }

    @Test
    void a_lock_held_by_another_writer_is_logged_at_its_start_and_its_end() {
        log();
        lock.takeAway();
        endpoints(2);
        ticks(5);
        assertThat(log()).containsExactly("INFO Resource lock not available; asking again later");

        lock.release();
        tick();
        assertThat(log()).hasSize(2).first().asString().matches("INFO Resource lock acquired refusedSince=\\S+Z");
    }

    @Test
    void a_pause_is_logged_at_its_start_and_its_end() {
        log();
        engine.pause(true);
        engine.pause(true);
        endpoints(2);
        ticks(3);
        engine.pause(false);
        assertThat(log())
                .containsExactly("INFO All writes are paused by the configuration", "INFO Writes are no longer paused");
    }

    @Test
    void a_paused_service_is_logged_at_the_start_and_the_end_of_its_pause() {
        log();
        service(true);
        endpoints(2);
        ticks(3);
        assertThat(log())
                .containsExactly("INFO Backend pool update held back loadBalancer=lb-1 pool=shop-web"
                        + " services=[shop/web] reason=Service shop/web is paused by its annotation.");

        service(false);
        tick();
        assertThat(log())
                .first()
                .asString()
                .startsWith("INFO Backend pool update no longer held back loadBalancer=lb-1");
    }

    @Test
    void a_held_removal_is_logged_at_its_start_and_its_end() {
        endpoints(IntStream.rangeClosed(1, 40).toArray());
        ticks(3);
        log();
        endpoints(1);
        ticks(10);
        assertThat(log())
                .singleElement()
                .asString()
                .startsWith(
                        "WARN Removal held back by the safety brake: the load balancers would lose 39 of 40 addresses")
                .contains("Set safetyBrake.agreed to removal-");

        endpoints(IntStream.rangeClosed(1, 40).toArray());
        ticks(3);
        assertThat(log()).singleElement().asString().startsWith("INFO Held removal is no longer wanted");
    }

    @ParameterizedTest
    @CsvSource({"true, Held removal was approved", "false, Hold is over; letting the removal through"})
    void a_removal_that_is_let_through_is_logged_once_with_its_cause(boolean approved, String cause) {
        endpoints(IntStream.rangeClosed(1, 40).toArray());
        ticks(3);
        endpoints(1);
        ticks(2);
        String id = engine.status().holds().braked().getFirst().id();
        if (approved) {
            engine.agreeToRemovals(Set.of(id));
        }
        log();
        ticks(40);

        assertThat(log())
                .filteredOn(line -> !line.contains("Updated a backend pool") && !line.contains("held back"))
                .containsExactly("WARN " + cause + " id=" + id);
    }

    @Test
    void a_fight_over_a_pool_is_logged_at_its_start_and_its_end() {
        log();
        for (int i = 0; i < 5; i++) {
            cloud.putPool(POOL, AddressSet.of("10.0.0.60"));
            ticks(80);
        }
        ticks(400);
        cloud.putPool(POOL, AddressSet.of("10.0.0.60")); // by itself no fight
        ticks(400);

        assertThat(log())
                .filteredOn(line -> line.contains("pool back") || line.contains("changed back"))
                .containsExactly(
                        "WARN Another writer keeps changing a pool back; writing it less often loadBalancer=lb-1"
                                + " pool=shop-web times=3",
                        "INFO Pool is no longer changed back; writing it as usual loadBalancer=lb-1 pool=shop-web");
    }

    @Test
    void a_pool_to_which_access_is_denied_is_logged_once_however_often_it_is_retried() {
        log();
        cloud.faults().add(FaultRule.always(403).times(3));
        endpoints(2);
        ticks(60);
        assertThat(log())
                .filteredOn(line -> line.contains("Access to a pool"))
                .hasSize(2)
                .satisfiesExactly(
                        begin -> assertThat(begin).startsWith("WARN Access to a pool denied"),
                        end -> assertThat(end)
                                .isEqualTo("INFO Access to a pool restored loadBalancer=lb-1 pool=shop-web"));
    }

    @Test
    void a_failing_listing_is_logged_at_its_start_at_each_other_cause_and_at_its_end() {
        log();
        for (int status : List.of(500, 403, 500)) {
            for (int i = 0; i < 3; i++) { // only the correlation id differs
                ArmError error = new ArmError(status, "Code" + status, null, "c-" + status + "-" + i);
                listingFailure = Failure.ofStatus(status, null, error);
                ticks(20);
            }
        }
        listingFailure = null;
        ticks(20);

        assertThat(log())
                .extracting(line -> line.replaceFirst(" nextListing=\\S+Z$", ""))
                .containsExactly(
                        "WARN Listing the load balancers failed failure=HTTP 500 Code500 (c-500-0)",
                        "WARN Listing the load balancers failed failure=HTTP 403 Code403 (c-403-0)",
                        "WARN Listing the load balancers failed failure=HTTP 500 Code500 (c-500-0)",
                        "INFO Load balancers can be listed again pools=1");
    }
}
