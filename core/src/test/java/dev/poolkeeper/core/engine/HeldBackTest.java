package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The guards that hold updates back. */
class HeldBackTest {

    private static final int[] MANY = IntStream.rangeClosed(1, 30).toArray();
    private static final int[] FEW = IntStream.rangeClosed(1, 5).toArray();

    private final EngineFixture the = new EngineFixture();

    private void inStep() {
        the.pool("web", MANY);
        the.pool("api", 1);
        the.service("web", MANY);
        the.service("api", 1);
        the.lead();
        the.tick();
        assertThat(the.calls()).isEmpty();
    }

    @Test
    @Rule(
            id = "C10",
            says = "Removals that would lose more than half of all addresses, if there are at least 20, are held;"
                    + " additions are written, and each Service gets one event. After ten minutes the removals are let"
                    + " through.",
            source = "ours")
    void the_brake_holds_removals() {
        inStep();
        the.endpoints("web", 1, 2, 40);
        the.run(Duration.ofMinutes(5));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(EngineFixture.all(MANY, 40)));
        assertThat(the.reasons()).containsExactly("shop/web HELD");
        BrakedRemoval removal = the.braked().get(0);
        assertThat(removal.removed()).isEqualTo(28);
        assertThat(removal.until()).isEqualTo(removal.since().plus(Duration.ofMinutes(10)));
        assertThat(the.events.events().get(0).cause())
                .isEqualTo(new ServiceEvent.Cause.Hold(
                        HoldCause.By.SAFETY_BRAKE.name(), Optional.of(removal.until()), Optional.of(removal.id()), 0));

        the.run(Duration.ofMinutes(6));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2, 40));
        assertThat(the.braked()).isEmpty();
    }

    @Test
    @Rule(
            id = "C11",
            says = "An operator approves a held removal by its id; any other id has no effect.",
            source = "ours")
    void an_operator_can_approve_a_removal() {
        inStep();
        the.endpoints("web", FEW);
        the.engine.agreeToRemovals(Set.of("removal-of-yesterday"));
        the.run(Duration.ofMinutes(1));
        assertThat(the.held("web")).hasSize(30);

        the.engine.agreeToRemovals(Set.of(the.braked().get(0).id()));
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(FEW));
    }

    @Test
    @Rule(
            id = "C12",
            says = "A held removal ends when all of its addresses are wanted again; the next one has its own id, hold"
                    + " and events.",
            source = "ours")
    void a_removal_ends_when_its_addresses_are_wanted_again() {
        inStep();
        the.endpoints("web", FEW);
        the.run(Duration.ofMinutes(6));
        String first = the.braked().get(0).id();
        the.endpoints("web", MANY);
        the.tick();
        assertThat(the.braked()).isEmpty();
        the.endpoints("web", FEW);
        the.run(Duration.ofMinutes(6));
        assertThat(the.held("web")).hasSize(30);
        assertThat(the.braked())
                .singleElement()
                .satisfies(removal -> assertThat(removal.id()).isNotEqualTo(first));
        assertThat(the.reasons()).filteredOn("shop/web HELD"::equals).hasSize(2);
    }

    @Test
    @Rule(
            id = "C13",
            says = "The brake counts the removals that a read reveals, even if fewer were known before.",
            source = "ours")
    void the_brake_counts_addresses_that_are_actually_removed() {
        the.pool("web", FEW);
        the.pool("api", MANY);
        the.service("web", FEW);
        the.service("api", MANY);
        the.lead();
        the.tick();
        the.pool("web", IntStream.rangeClosed(6, 45).toArray()); // by another writer, not yet seen
        the.endpoints("web", 1, 2, 3);
        the.tick();

        assertThat(the.held("web")).hasSize(43);
        assertThat(the.reasons()).contains("shop/web HELD");
    }

    @Test
    @Rule(
            id = "C14",
            says = "With fewer than 20 addresses in all pools, only emptying all pools is held.",
            source = "ours")
    void small_clusters_are_not_braked() {
        the.pool("web", FEW);
        the.service("web", FEW);
        the.lead();
        the.tick();
        the.endpoints("web");
        the.tick();
        assertThat(the.held("web")).isEmpty();
    }

    @Test
    @Rule(
            id = "C15",
            says = "The key paused pauses all writes; changes are queued in the meantime and written afterwards.",
            source = "ours")
    void a_key_pauses_all_writes() {
        inStep();
        the.engine.pause(true);
        the.endpoints("api", 2);
        the.run(Duration.ofMinutes(30));
        assertThat(the.calls()).isEmpty();

        the.engine.pause(false);
        the.tick();
        assertThat(the.held("api")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    @Rule(
            id = "C16",
            says = "The annotation poolkeeper.dev/paused holds the changes of one Service back; the others continue.",
            source = "ours")
    void an_annotation_pauses_one_service() {
        inStep();
        the.put("api", true, 1);
        the.endpoints("api", 2);
        the.endpoints("web", IntStream.rangeClosed(1, 29).toArray());
        the.run(Duration.ofMinutes(30));
        assertThat(the.calls()).containsExactly("GET shop-web", "PUT shop-web");

        the.put("api", false, 2);
        the.tick();
        assertThat(the.held("api")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    @Rule(
            id = "C17",
            says = "Nothing is sent for a pool for which ARM answered 403, for one minute at first and for up to half"
                    + " an hour if that repeats; its Services get an event; all other pools continue, also those of its"
                    + " load balancer.",
            source = "ours")
    void nothing_is_sent_for_a_pool_to_which_access_is_denied() {
        inStep();
        PoolKey other = PoolKey.of("lb-2", "shop-other");
        the.cloud.putPool(other, EngineFixture.addresses(1));
        the.service("other", 1);
        the.pool("cart", 1);
        the.service("cart", 1);
        the.run(Duration.ofMinutes(1));
        int before = the.cloud.calls().size();
        the.fault(FaultRule.always(403).forMethod("PUT").forPool("shop-api").times(2));
        the.endpoints("api", 2);
        the.endpoints("cart", 2);
        the.endpoints("other", 2);
        the.tick();

        assertThat(the.callsSince(before)).hasSize(6);
        assertThat(the.cloud.addresses(other)).contains(EngineFixture.addresses(2));
        assertThat(the.held("cart")).isEqualTo(EngineFixture.addresses(2));
        assertThat(the.reasons()).contains("shop/api FAILED", "shop/cart UPDATED", "shop/other UPDATED");
        assertThat(the.engine.status().holds().forbidden()).hasSize(1);

        the.endpoints("api", 3);
        the.tick();
        assertThat(the.callsSince(before)).hasSize(6);
        assertThat(the.reasons()).contains("shop/api HELD");

        the.run(Duration.ofMinutes(30));
        assertThat(the.held("api")).isEqualTo(EngineFixture.addresses(3));
        assertThat(the.engine.status().holds().forbidden()).isEmpty();
    }

    @Test
    void a_removal_from_a_pool_to_which_access_is_denied_does_not_count_for_the_brake() {
        inStep();
        the.fault(FaultRule.always(403).forMethod("PUT").forPool("shop-web").times(1));
        the.endpoints("web", EngineFixture.all(MANY, 40));
        the.tick();
        assertThat(the.engine.status().holds().forbidden()).hasSize(1);

        the.endpoints("web", FEW);
        the.tick();
        assertThat(the.braked()).isEmpty();
    }

    @Test
    @Rule(
            id = "C18",
            says = "A pool that another writer changes back three times is written with increasing backoff, and"
                    + " its Service gets one event.",
            source = "ours")
    void a_fight_over_a_pool_is_detected() {
        inStep();
        the.endpoints("api", 2);
        the.tick();
        for (int i = 0; i < 30; i++) {
            the.pool("api", 1);
            the.run(Duration.ofMinutes(10));
        }

        assertThat(the.reasons()).filteredOn("shop/api HELD"::equals).hasSize(1);
        assertThat(the.writes()).isBetween(5L, 9L);
        assertThat(the.engine.status().holds().fights()).containsOnlyKeys(EngineFixture.key("api"));

        the.run(Duration.ofHours(8));
        assertThat(the.held("api")).isEqualTo(EngineFixture.addresses(2));
        assertThat(the.engine.status().holds().fights()).isEmpty();
    }

    @Test
    @Rule(
            id = "C19",
            says = "A pool whose name exists on two load balancers is not written; its Service gets one Warning"
                    + " that names both.",
            source = "contract, Replay rule 3")
    void an_ambiguous_name_is_reported_once() {
        inStep();
        the.cloud.putPool(PoolKey.of("lb-2", "SHOP-api"), EngineFixture.addresses(7));
        the.endpoints("api", 2);
        the.run(Duration.ofMinutes(30));

        assertThat(the.reasons()).filteredOn("shop/api HELD"::equals).hasSize(1);
        assertThat(the.events.events())
                .last()
                .satisfies(event -> assertThat(event.message()).contains("lb-1", "lb-2"));
    }

    @Test
    void what_the_brake_holds_as_a_term_ends_is_not_held_by_a_standby() {
        // given
        AtomicInteger asked = new AtomicInteger();
        AtomicReference<Runnable> onSecond = new AtomicReference<>(() -> {});
        ResourceLock.Hold hold = new ResourceLock.Hold() {
            @Override
            public boolean isHeld() {
                if (asked.incrementAndGet() == 2) {
                    onSecond.get().run();
                }
                return true;
            }

            @Override
            public void close() {}
        };
        UpdateFixture ending = new UpdateFixture(
                EngineSettings.DEFAULT.withPace(Pace.TICK),
                builder -> builder.resourceLock(() -> Optional.of(hold)),
                UnaryOperator.identity());
        ending.cloud.putPool(UpdateFixture.POOL, EngineFixture.addresses(EngineFixture.range(1, 50)));
        ending.lead();
        ending.want(UpdateFixture.WEB, UpdateFixture.POOL, "10.0.0.1");
        onSecond.set(ending.engine::stopLeading);
        // when
        ending.tick();
        assertThat(ending.engine.status().leading()).isFalse();
        assertThat(ending.engine.status().holds().braked()).isNotEmpty();
        ending.engine.askForListing();
        ending.engine.listIfDue();
        // then
        assertThat(ending.engine.status().holds().braked()).isEmpty();
        assertThat(ending.calls()).isEmpty();
    }
}
