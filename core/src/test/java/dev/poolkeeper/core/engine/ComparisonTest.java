package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes during a listing of load balancers or a write of a pool must not be missed by the comparison. */
class ComparisonTest {

    private static final ServiceName ONE = new ServiceName("shop", "x-y");
    private static final ServiceName OTHER = new ServiceName("shop-x", "y");
    private static final PoolKey SHARED = PoolKey.of("lb-1", "shop-x-y");

    private final EngineFixture the = new EngineFixture();

    private void inStep() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
    }

    /** Runs each of the actions once, one per call. */
    private static Runnable oneByOne(Runnable... actions) {
        Deque<Runnable> left = new ArrayDeque<>(List.of(actions));
        return () -> {
            if (!left.isEmpty()) {
                left.remove().run();
            }
        };
    }

    private void listNow() {
        the.time.advance(Duration.ofSeconds(1));
        the.engine.askForListing();
        the.engine.listIfDue();
    }

    @Test
    @Rule(
            id = "C33",
            says = "A Service edited while the load balancers are listed is compared by the next listing, a"
                    + " second later; if a listing fails, by the first one that succeeds.",
            source = "ours")
    void a_service_edited_during_a_listing_is_compared_by_the_next_one() {
        inStep();
        the.onList = oneByOne(() -> {
            the.pool("web", 9);
            the.put("web", false, 1);
        });
        listNow();
        assertThat(the.waiting()).isZero();
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_service_edited_before_a_listing_that_fails_is_compared_by_the_next_one() {
        inStep();
        the.pool("web", 9);
        the.put("web", false, 1);
        the.listingFailure = Failure.ofStatus(500, null, ArmError.ofStatus(500));
        listNow();
        the.listingFailure = null;
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    @SuppressWarnings("NullAway") // no adapter lists nothing as a pool
    void a_service_edited_before_a_listing_that_cannot_be_applied_is_compared_by_the_next_one() {
        inStep();
        the.pool("web", 9);
        the.put("web", false, 1);
        the.listedAs = pool -> null;
        listNow();
        assertThat(the.engine.status().listing().failure()).isPresent();
        the.listedAs = pool -> pool;
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    /** What another writer adds afterwards is for the next comparison of all pools. */
    @ParameterizedTest
    @ValueSource(strings = {"", "F", "FF", "S", "SF", "FS", "SFS"})
    void an_edit_is_compared_once_whatever_later_listings_become(String later) {
        // given
        inStep();
        the.put("web", false, 1);
        listNow();
        the.pool("web", 1, 9);
        // when
        for (char listing : later.toCharArray()) {
            the.listingFailure = listing == 'F' ? Failure.ofStatus(500, null, ArmError.ofStatus(500)) : null;
            the.time.advance(Duration.ofSeconds(10)); // as long as failures postpone the next
            listNow();
        }
        the.listingFailure = null;
        the.run(Duration.ofMinutes(1));
        // then
        assertThat(the.engine.status().listing().nextResync().orElseThrow()).isAfter(the.time.instant());
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 9));
        the.run(Duration.ofMinutes(11));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule(
            id = "C123",
            says = "A Service that was edited while listings failed is forgotten when it is deleted or asks for no"
                    + " local pool any more.",
            source = "ours")
    void a_service_that_is_gone_is_not_kept_for_the_next_comparison(boolean deleted) {
        inStep();
        the.listingFailure = Failure.ofStatus(500, null, ArmError.ofStatus(500));
        the.put("web", false, 1);
        for (int i = 0; i < 100; i++) {
            ServiceName service = new ServiceName("tenant", "x" + i);
            the.put(service, false, 0);
            the.onList = oneByOne(() -> goes(service, deleted)); // of some, while it is listed
            if (i % 10 == 0) {
                listNow();
            }
            goes(service, deleted);
        }
        assertThat(the.engine.editedServices()).isOne();
    }

    private void goes(ServiceName service, boolean deleted) {
        if (deleted) {
            the.index.serviceDeleted(service);
        } else {
            the.index.serviceChanged(
                    new ServiceState(service, "ClusterIP", null, List.of("IPv4"), null, null, false, 1, Map.of()));
        }
    }

    @Test
    @Rule(id = "C56", says = "A comparison that falls due during a listing is made with that listing.", source = "ours")
    void a_comparison_that_falls_due_during_a_listing_is_made_with_it() {
        inStep();
        the.pool("web", 9);
        Instant due = the.engine.status().listing().nextResync().orElseThrow();
        the.time.advance(Duration.between(the.time.instant(), due.minusSeconds(1)));
        the.onList = oneByOne(() -> the.time.advance(Duration.ofSeconds(2)));
        the.engine.askForListing();
        the.engine.listIfDue();
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_term_that_begins_during_a_listing_compares_all_pools_with_a_listing_of_its_own() {
        inStep();
        the.onList = oneByOne(() -> {
            the.engine.stopLeading();
            the.pool("web", 9);
            the.lead();
        });
        the.put("web", false, 1);
        listNow();
        assertThat(the.engine.isServing()).isFalse();
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_listing_of_an_ended_term_compares_nothing() {
        inStep();
        the.onList = oneByOne(() -> {
            the.pool("web", 9);
            the.engine.stopLeading();
        });
        listNow();
        assertThat(the.engine.status().listing().nextResync()).isEmpty();
        assertThat(the.engine.nextListing()).isAfter(the.time.instant());
    }

    @Test
    @Rule(
            id = "C34",
            says = "While one of our writes to a pool is in progress, its contents are unknown: a Service"
                    + " adopted or a term begun in the meantime reads it again.",
            source = "ours")
    void a_pool_adopted_while_it_is_written_is_updated_again() {
        inStep();
        PoolKey twin = PoolKey.of("lb-2", "shop-web");
        the.onWrite = oneByOne(() -> {
            the.cloud.putPool(twin, AddressSet.empty());
            listNow(); // ambiguous: no longer local
            the.endpoints("web", 1);
            the.cloud.deletePool(twin);
            listNow(); // adopted, with the pool's contents before the write completes
        });
        the.endpoints("web", 2);
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_term_that_begins_while_a_pool_is_written_reads_it_again() {
        inStep();
        the.onWrite = oneByOne(() -> {
            the.engine.stopLeading();
            the.endpoints("web", 1);
            the.lead();
            listNow();
        });
        the.endpoints("web", 2);
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    @Rule(
            id = "C37",
            says = "A comparison of all pools skips those that will hold what is wanted after an update that waits, is"
                    + " parked or is in progress; of a pool that Services share, for the Services that have one.",
            source = "ours")
    void a_comparison_leaves_parked_operations_unchanged() {
        EngineFixture diff = new EngineFixture(EngineSettings.DEFAULT.withModel(UpdateModel.DIFF));
        diff.pool("web", 1);
        diff.service("web", 1);
        diff.lead();
        diff.tick();
        diff.fault(FaultRule.always(429).times(1).retryAfter(Duration.ofMinutes(20)));
        diff.endpoints("web", 2);
        diff.tick();
        assertThat(diff.waiting()).as("one removal, one addition").isEqualTo(2);

        diff.run(Duration.ofMinutes(15));
        assertThat(diff.engine.status().listing().lastResync())
                .hasValueSatisfying(
                        resync -> assertThat(resync).isAfter(diff.time.instant().minus(Duration.ofMinutes(10))));
        assertThat(diff.waiting()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C39",
            says = "If only one of two Services that share a pool has an update waiting, a comparison queues the other"
                    + " one too: the update of one Service adds nothing for another.",
            source = "ours")
    void a_comparison_finds_what_the_waiting_update_of_another_service_leaves_out(UpdateModel model) {
        EngineFixture shared = new EngineFixture(EngineSettings.DEFAULT.withModel(model));
        ServiceName other = new ServiceName("shop-x", "y");
        shared.pool("x-y", 1);
        shared.service("x-y", 1);
        shared.cluster.put(new ServiceState(other, "LoadBalancer", "Local", List.of("IPv4")));
        shared.cluster.put(new EndpointSliceState("shop-x", "y-1", other, "IPv4", List.of("n1")));
        shared.engine.listIfDue(); // while no replica leads, one of the two changes
        shared.endpoints("x-y", 1, 2);

        shared.lead();
        shared.cluster.put(new EndpointSliceState("shop-x", "y-1", other, "IPv4", List.of("n1", "n3")));
        shared.tick();

        assertThat(shared.held("x-y")).isEqualTo(EngineFixture.addresses(1, 2, 3));
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C100",
            says = "What a comparison found for one of two Services that share a pool is added, even if the update of"
                    + " the other one waited and would have added it, but changes or is paused before it is made.",
            source = "ours")
    void what_a_comparison_found_does_not_depend_on_the_update_of_another_service(UpdateModel model) {
        for (Consumer<EngineFixture> change : List.<Consumer<EngineFixture>>of(
                shared -> shared.endpoints(OTHER, 1), shared -> shared.put(OTHER, true, 1))) {
            EngineFixture shared = new EngineFixture(EngineSettings.DEFAULT.withModel(model));
            shared.cloud.putPool(SHARED, EngineFixture.addresses(1));
            shared.put(ONE, false, 0);
            shared.put(OTHER, false, 0);
            shared.endpoints(ONE, 1, 2);
            shared.endpoints(OTHER, 1);
            shared.engine.listIfDue(); // both are known before the term begins
            shared.lead();
            shared.endpoints(OTHER, 1, 2);
            shared.engine.listIfDue();
            assertThat(shared.engine.status().listing().lastResync()).isPresent();

            change.accept(shared);
            shared.tick();

            assertThat(shared.cloud.addresses(SHARED)).contains(EngineFixture.addresses(1, 2));
        }
    }

    @Test
    void a_pool_whose_last_write_has_an_unknown_outcome_is_compared_although_an_older_listing_agrees() {
        inStep();
        the.put("web", false, 1); // so that the next listing compares it
        the.onWritten = reply -> Reply.failed(Failure.Other.retriable("no response"));
        the.onList = oneByOne(() -> {
            the.time.advance(Duration.ofSeconds(1));
            the.endpoints("web", 2);
            Ticks.of(the.engine).join();
            the.endpoints("web", 1);
            the.fault(FaultRule.always(404).times(1));
            the.time.advance(Duration.ofSeconds(30));
            Ticks.of(the.engine).join(); // drops the update
        });
        listNow();
        the.onWritten = reply -> reply;
        Ticks.of(the.engine).join();

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_comparison_expects_the_update_in_progress_before_the_changes_that_wait() {
        EngineFixture diff = new EngineFixture(EngineSettings.DEFAULT.withModel(UpdateModel.DIFF));
        diff.pool("web", 1);
        diff.service("web", 1);
        diff.lead();
        diff.tick();
        List<Integer> operations = new ArrayList<>();
        diff.onWrite = oneByOne(() -> {
            diff.put("web", false, 1); // so that the next listing compares it
            diff.endpoints("web", 1);
            operations.add(diff.waiting());
            diff.time.advance(Duration.ofSeconds(1));
            diff.engine.askForListing();
            diff.engine.listIfDue();
            operations.add(diff.waiting());
        });
        diff.endpoints("web", 2);
        diff.tick();

        assertThat(operations).hasSize(2).containsOnly(operations.get(0));
        diff.tick();
        assertThat(diff.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    @Rule(
            id = "C35",
            says = "A term that ends during a comparison of all pools leaves nothing scheduled: the next term"
                    + " immediately compares them all.",
            source = "ours")
    void the_end_of_a_term_waits_for_the_comparison() throws InterruptedException {
        the.pool("web", 1);
        the.service("web", 1);
        AtomicReference<Thread> ending = new AtomicReference<>();
        the.onDraw = oneByOne(
                () -> { // at the end of the comparison, when the next one is scheduled
                    Thread thread = new Thread(() -> {
                        the.engine.stopLeading();
                        the.lead();
                    });
                    ending.set(thread);
                    thread.start();
                    while (thread.getState() != Thread.State.BLOCKED && thread.getState() != Thread.State.TERMINATED) {
                        Thread.onSpinWait();
                    }
                });
        the.lead();
        the.engine.listIfDue();
        ending.get().join();

        assertThat(the.engine.status().listing().nextResync()).isEmpty();
        the.pool("web", 9);
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }
}
