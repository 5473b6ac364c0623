package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool that ARM loses, or seems to lose, or that another writer empties. */
class MissingPoolTest {

    private EngineFixture the = new EngineFixture(EngineSettings.DEFAULT);
    private final List<Long> listedAt = new ArrayList<>();
    private Instant start = the.time.instant();

    private void with(EngineSettings settings) {
        the = new EngineFixture(settings);
    }

    private void inStep() {
        the.pool("web", 1, 2);
        the.service("web", 1, 2);
        the.lead();
        run(Duration.ofMinutes(1));
        start = the.time.instant();
        the.onList = () -> listedAt.add(secondsSinceStart());
    }

    private long secondsSinceStart() {
        return Duration.between(start, the.time.instant()).toSeconds();
    }

    /** Makes all steps until then. */
    private void run(Duration duration) {
        Instant end = the.time.instant().plus(duration);
        while (the.time.instant().isBefore(end)) {
            Instant next = the.engine.step();
            Instant soonest = the.time.instant().plusMillis(1);
            Instant then = next.isBefore(soonest) ? soonest : next;
            the.time.advanceTo(then.isAfter(end) ? end : then);
        }
        the.engine.step();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT"})
    @Rule(
            id = "C125",
            says = "After a 404 for a pool of a local Service the load balancers are listed again as in C04, as long"
                    + " as an update of it waits and no other answer came; the first listing that succeeds compares"
                    + " the pool. What is known of it is kept until a listing lacks it.",
            source = "ours")
    void a_pool_that_arm_loses_for_a_moment_is_updated_seconds_later(String method) {
        inStep();
        the.fault(FaultRule.always(404).forMethod(method).times(1));
        the.endpoints("web", 2, 3);
        run(Duration.ofSeconds(2));
        assertThat(the.status("web").known()).as("what is known of it").isPresent();
        assertThat(the.status("web").difference().orElseThrow().remedy()).startsWith("The next listing queues it");
        run(EngineFixture.TICK); // the rest after a failed attempt

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2, 3));
        assertThat(listedAt).containsExactly(3L, 7L, 15L, 31L);
    }

    @Test
    void an_update_that_only_removes_is_made_after_a_404_too() {
        inStep();
        the.fault(FaultRule.always(404).times(1));
        the.endpoints("web", 2);
        run(EngineFixture.TICK);

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    void a_pool_deleted_and_made_anew_is_right_within_seconds() {
        inStep();
        the.cloud.deletePool(EngineFixture.key("web"));
        the.endpoints("web", 2, 3);
        run(Duration.ofSeconds(10));
        assertThat(listedAt).containsExactly(3L, 7L);
        the.pool("web");
        run(Duration.ofSeconds(21)); // the rest after a failed attempt

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2, 3));
    }

    @Test
    void a_pool_that_was_away_for_minutes_is_right_a_second_after_the_listing_that_shows_it() {
        inStep();
        the.cloud.deletePool(EngineFixture.key("web"));
        the.endpoints("web", 2, 3);
        run(Duration.ofSeconds(130));
        assertThat(listedAt).containsExactly(3L, 7L, 15L, 31L, 63L, 123L);
        the.pool("web");
        run(Duration.ofSeconds(54)); // listed at 183

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2, 3));
    }

    @Test
    void a_pool_that_is_listed_but_not_found_is_listed_again_after_2_s_doubling_to_60() {
        inStep();
        the.fault(FaultRule.always(404));
        the.endpoints("web", 2, 3);
        run(Duration.ofSeconds(200));
        assertThat(listedAt).containsExactly(3L, 7L, 15L, 31L, 63L, 123L, 183L);
        assertThat(the.reasons()).isEmpty();

        the.cloud.faults().clear();
        listedAt.clear();
        run(Duration.ofSeconds(45));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2, 3));
        listedAt.clear();
        run(Duration.ofMinutes(6));
        assertThat(listedAt).as("as usual again").hasSizeBetween(1, 2);
    }

    @Test
    void a_pool_that_is_found_as_wanted_after_a_404_is_listed_again_until_it_is_read() {
        inStep();
        the.fault(FaultRule.always(404).times(1));
        the.endpoints("web", 2, 3);
        run(Duration.ofSeconds(2));
        the.endpoints("web", 1, 2);
        run(Duration.ofMinutes(3));

        assertThat(listedAt).containsExactly(3L, 7L, 15L, 31L);
    }

    @Test
    void a_404_during_a_listing_asks_for_the_next_one() {
        inStep();
        the.fault(FaultRule.always(404).times(1));
        Runnable counts = the.onList;
        the.onList = () -> {
            the.onList = counts;
            the.endpoints("web", 2, 3);
            the.time.advance(Duration.ofSeconds(1));
            Ticks.of(the.engine).join();
        };
        the.engine.askForListing();
        run(EngineFixture.TICK);

        assertThat(listedAt).startsWith(3L);
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2, 3));
    }

    @Test
    void a_listing_that_fails_after_a_404_compares_the_pool_once_it_succeeds() {
        inStep();
        the.fault(FaultRule.always(404).times(1));
        the.listingFailure = Failure.Other.retriable("no response");
        the.endpoints("web", 2);
        run(Duration.ofSeconds(6));
        the.listingFailure = null;
        run(EngineFixture.TICK);

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
    }

    @Test
    void a_404_asks_for_no_listing_if_load_balancers_are_listed_on_request_only() {
        with(EngineSettings.DEFAULT.withDirectoryRefresh(Duration.ZERO).withResync(Duration.ZERO));
        inStep();
        the.fault(FaultRule.always(404).times(1));
        the.endpoints("web", 2, 3);
        run(Duration.ofMinutes(20));

        assertThat(listedAt).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "C126",
            says = "A pool that a listing shows without an address that is wanted in it is queued at once, not only at"
                    + " the next comparison, unless the last update of the Service that wants it was given up, the"
                    + " listing before showed the same and the pool was read since and not written, or comparisons"
                    + " are off.",
            source = "ours")
    void what_a_listing_shows_as_missing_is_queued(UpdateModel model) {
        with(EngineSettings.DEFAULT.withModel(model).withResync(Duration.ofDays(1)));
        inStep();
        the.pool("web", 1); // another writer
        the.engine.askForListing();
        run(Duration.ofSeconds(35));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
    }

    @Test
    void a_pool_that_a_listing_shows_in_outage_is_queued() {
        inStep();
        the.pool("web");
        the.engine.askForListing();
        run(Duration.ofSeconds(3));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
    }

    @Test
    void what_a_listing_shows_beyond_what_is_wanted_waits_for_the_comparison() {
        inStep();
        the.pool("web", 1, 2, 3);
        the.engine.askForListing();
        run(Duration.ofMinutes(4));
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2, 3));
    }

    @Test
    void a_pool_whose_update_was_given_up_waits_for_the_comparison() {
        inStep();
        the.fault(FaultRule.always(400).forMethod("PUT"));
        the.endpoints("web", 1, 2, 3);
        run(Duration.ofSeconds(5));
        assertThat(the.reasons()).contains("shop/web FAILED");
        long writes = the.writes();
        the.put(new ServiceName("shop", "none"), false, 0); // has no pool: listings every few seconds
        the.endpoints("none", 1);
        run(Duration.ofMinutes(2));

        assertThat(listedAt).hasSizeGreaterThan(4);
        assertThat(the.writes()).isEqualTo(writes);
    }

    @Test
    void nothing_is_queued_by_a_listing_if_comparisons_are_off() {
        with(EngineSettings.DEFAULT.withResync(Duration.ZERO));
        inStep();
        the.pool("web", 1);
        the.engine.askForListing();
        run(Duration.ofMinutes(20));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_listing_that_shows_the_changes_of_another_writer_does_not_shorten_the_drift_back_off() {
        inStep();
        for (int i = 0; i < 60; i++) {
            the.pool("web", 1);
            the.engine.askForListing();
            run(Duration.ofSeconds(5));
        }
        assertThat(the.writes()).as("in five minutes").isLessThan(8);
    }

    private static final ServiceName OTHER = new ServiceName("shop-web", "web");

    /** OTHER's name makes shop-web-web, as does shop/web-web's. */
    private static final ServiceName SHARER = new ServiceName("shop", "web-web");

    @Test
    void a_service_whose_update_was_given_up_does_not_delay_one_that_shares_its_pool() {
        the.inStep(OTHER, 1);
        the.service(SHARER, 2);
        the.lead();
        run(Duration.ofMinutes(1));
        start = the.time.instant();
        the.fault(FaultRule.always(400).forMethod("PUT").times(1));
        the.endpoints(SHARER, 3);
        run(Duration.ofSeconds(40));
        assertThat(the.reasons()).contains(SHARER + " FAILED");
        // when
        the.pool("web-web"); // another writer
        the.engine.askForListing();
        run(Duration.ofSeconds(3));
        // then
        assertThat(the.held("web-web")).isEqualTo(EngineFixture.addresses(1, 3));
    }

    @Test
    void many_pools_that_arm_loses_at_once_are_listed_again_as_one() {
        for (int i = 0; i < 40; i++) {
            the.pool("s" + i, 1);
            the.service("s" + i, 1);
        }
        inStep();
        the.fault(FaultRule.always(404));
        for (int i = 0; i < 40; i++) {
            the.endpoints("s" + i, 2);
        }
        run(Duration.ofSeconds(40));
        assertThat(listedAt).startsWith(3L, 5L, 9L, 17L);
        assertThat(listedAt).hasSizeLessThan(8);

        listedAt.clear();
        the.put("web", false, 1); // an edit, of the same namespace
        run(Duration.ofSeconds(1));
        assertThat(listedAt).isNotEmpty();
    }

    @Test
    void a_listing_that_is_wrong_about_a_pool_for_long_has_it_read_once() {
        with(EngineSettings.DEFAULT.withResync(Duration.ofDays(1)));
        inStep();
        the.listedAs = pool -> new BackendPool(pool.key(), EngineFixture.addresses(1), pool.etag(), pool.source());
        int before = the.calls().size();
        for (int i = 0; i < 20; i++) {
            the.engine.askForListing();
            run(EngineFixture.TICK);
        }
        assertThat(the.calls()).hasSize(before + 1);
        // when
        the.listedAs = pool -> pool;
        the.pool("web"); // another writer
        the.engine.askForListing();
        run(Duration.ofSeconds(3));
        // then
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
    }

    @Test
    void a_pool_that_another_writer_empties_again_is_queued_again() {
        inStep();
        for (int i = 0; i < 2; i++) {
            the.pool("web");
            the.engine.askForListing();
            run(EngineFixture.TICK.plusSeconds(3));
            assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1, 2));
        }
    }
}
