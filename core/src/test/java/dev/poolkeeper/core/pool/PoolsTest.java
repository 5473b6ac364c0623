package dev.poolkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.pool.KnownPool.LastCall;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoolsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final AddressSet ONE = AddressSet.of("10.0.0.1");
    private static final AddressSet TWO = AddressSet.of("10.0.0.2");
    private static final Failure FAILURE = Failure.Other.terminal("no answer");
    private static final State.GaveUp FAILED = new State.GaveUp(FAILURE, Instant.EPOCH);

    private final FakeTime time = new FakeTime();
    private final Pools known = TestPools.none();

    private static BackendPool holding(AddressSet addresses) {
        return new BackendPool(POOL, addresses, "etag", null);
    }

    private KnownPool pool() {
        return known.get(POOL).known().orElseThrow();
    }

    private LastCall ended(boolean write) {
        return new LastCall(write, time.instant(), Optional.empty());
    }

    private void read(AddressSet addresses) {
        known.read(holding(addresses), time.instant());
    }

    private void written(AddressSet addresses) {
        known.writeBegins(POOL, TWO);
        known.written(holding(addresses), true, time.instant());
    }

    @Test
    void reads_and_writes_are_recorded() {
        read(ONE);
        assertThat(pool()).isEqualTo(new KnownPool(POOL, ONE, time.instant(), null, false, ended(false), null));

        time.advance(Duration.ofSeconds(1));
        known.writeBegins(POOL, TWO);
        assertThat(pool().writing()).isTrue();
        assertThat(pool().addresses()).isEqualTo(ONE);

        time.advance(Duration.ofSeconds(1));
        known.written(holding(TWO), true, time.instant());
        assertThat(pool()).isEqualTo(new KnownPool(POOL, TWO, time.instant(), TWO, false, ended(true), null));
    }

    @Test
    void a_write_that_was_overwritten_or_not_applied_does_not_count_as_applied() {
        read(ONE);
        known.writeBegins(POOL, TWO);
        known.written(holding(TWO), false, time.instant());
        assertThat(pool()).isEqualTo(new KnownPool(POOL, TWO, time.instant(), null, false, ended(true), null));
    }

    @Test
    void a_failure_is_recorded_and_known_contents_stay() {
        read(ONE);
        Instant seen = time.instant();
        known.writeBegins(POOL, TWO);
        time.advance(Duration.ofSeconds(1));

        known.failed(POOL, true, FAILURE, time.instant());

        LastCall call = new LastCall(true, time.instant(), Optional.of(FAILURE));
        assertThat(pool()).isEqualTo(new KnownPool(POOL, ONE, seen, null, false, call, TWO));
    }

    @Test
    void addresses_removed_by_a_write_are_in_doubt_until_its_outcome_is_seen() {
        read(ONE);
        assertThat(pool().inDoubt()).isEqualTo(AddressSet.empty());
        known.writeBegins(POOL, TWO);
        assertThat(pool().inDoubt()).isEqualTo(ONE);

        known.failed(POOL, true, FAILURE, time.instant());
        assertThat(pool().inDoubt()).as("failed: it may have been applied").isEqualTo(ONE);

        read(ONE);
        assertThat(pool().inDoubt()).as("read since").isEqualTo(AddressSet.empty());
    }

    @Test
    void a_listing_settles_only_doubts_from_before_it_began() {
        read(ONE);
        time.advance(Duration.ofSeconds(1));
        known.writeBegins(POOL, TWO);
        Instant begun = time.instant();
        known.listed(List.of(holding(ONE)), begun);
        assertThat(pool().inDoubt()).as("the write is in progress").isEqualTo(ONE);

        time.advance(Duration.ofSeconds(1));
        known.failed(POOL, true, FAILURE, time.instant());
        known.listed(List.of(holding(ONE)), begun.plusMillis(500));
        assertThat(pool().inDoubt())
                .as("the listing began before the write failed")
                .isEqualTo(ONE);

        time.advance(Duration.ofSeconds(1));
        known.listed(List.of(holding(ONE)), time.instant());
        assertThat(pool().inDoubt()).isEqualTo(AddressSet.empty());
    }

    @Test
    void a_read_that_fails_ends_no_write() {
        read(ONE);
        known.writeBegins(POOL, TWO);
        known.failed(POOL, false, FAILURE, time.instant());
        assertThat(pool().writing()).isTrue();
    }

    @Test
    void nothing_is_known_of_a_pool_whose_only_read_failed() {
        known.failed(POOL, false, FAILURE, time.instant());
        known.writeBegins(POOL, TWO);
        assertThat(known.get(POOL).known()).isEmpty();
    }

    @Test
    void a_listing_forgets_deleted_pools_and_keeps_newer_reads() {
        Instant begun = time.instant();
        time.advance(Duration.ofSeconds(1));
        written(TWO);

        known.listed(List.of(holding(ONE)), begun);
        assertThat(pool().addresses()).isEqualTo(TWO);

        time.advance(Duration.ofSeconds(1));
        known.listed(List.of(holding(ONE)), time.instant());
        assertThat(pool().addresses()).isEqualTo(ONE);
        assertThat(pool().at()).isEqualTo(time.instant());
        assertThat(pool().landed()).isEqualTo(TWO);

        known.listed(List.of(), time.instant());
        assertThat(known.get(POOL).known()).isEmpty();
    }

    @Test
    void a_change_by_another_writer_counts_once_per_applied_write_of_ours() {
        read(ONE);
        assertThat(known.noticeChangeByAnother(POOL, TWO))
                .as("no write of ours")
                .isFalse();

        for (int i = 0; i < 2; i++) {
            written(TWO);
            assertThat(known.noticeChangeByAnother(POOL, TWO))
                    .as("as we left it")
                    .isFalse();
            assertThat(known.noticeChangeByAnother(POOL, ONE)).isTrue();
            assertThat(known.noticeChangeByAnother(POOL, ONE)).as("again").isFalse();
        }

        written(TWO);
        known.writeBegins(POOL, TWO);
        known.failed(POOL, true, FAILURE, time.instant());
        assertThat(known.noticeChangeByAnother(POOL, ONE)).as("unknown outcome").isFalse();
    }

    @Test
    void applied_writes_of_earlier_terms_are_forgotten() {
        written(TWO);
        known.forgetWrites();
        assertThat(pool().addresses()).isEqualTo(TWO);
        assertThat(known.noticeChangeByAnother(POOL, ONE)).isFalse();
    }

    @Test
    void a_rest_outlasts_a_listing_without_the_pool_and_ends_with_its_time() {
        Instant until = time.instant().plusSeconds(5);
        read(ONE);
        known.change(POOL, pool -> pool.withBacklog(it -> it.resting(until)));
        PendingOperation arrived = PendingOperation.fresh(new Operation.Sync(WEB, POOL), 1, time.instant());

        known.listed(List.of(), time.instant());
        known.listed(List.of(holding(ONE)), time.instant());
        assertThat(known.get(POOL).backlog().appended(arrived).eligibleAt(Duration.ZERO))
                .isEqualTo(until);

        time.advance(Duration.ofSeconds(5));
        known.listed(List.of(), time.instant());
        assertThat(known.all()).isEmpty();
    }

    private record Part(String name, UnaryOperator<Pool> begins, UnaryOperator<Pool> ends) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Part> parts() {
        PendingOperation sync = PendingOperation.fresh(new Operation.Sync(WEB, POOL), 1, Instant.EPOCH);
        HoldCause held = new HoldCause.Paused();
        Instant until = Instant.ofEpochSecond(5);
        return Stream.of(
                new Part("wants", it -> it.wanting(TestPools.want(WEB, POOL)), it -> it.without(WEB)),
                new Part(
                        "contents",
                        it -> it.withKnown(KnownPool.first(holding(ONE), Instant.EPOCH, null)),
                        it -> it.withKnown(null)),
                new Part("hold", it -> it.held(held, Instant.EPOCH), Pool::notHeld),
                new Part("failure", it -> it.withFailed(WEB, FAILED), it -> it.withoutFailed(WEB)),
                new Part(
                        "fight",
                        it -> it.withFight(none -> new Fight(1, Instant.EPOCH, until, false)),
                        it -> it.withFight(fight -> null)),
                new Part(
                        "operation",
                        it -> it.withBacklog(backlog -> backlog.appended(sync)),
                        it -> it.withBacklog(backlog -> backlog.without(all -> true))),
                new Part(
                        "operation in hand",
                        it -> it.withBacklog(backlog -> backlog.appended(sync)).taken(),
                        it -> it.withBacklog(Backlog::finished)),
                new Part(
                        "rest",
                        it -> it.withBacklog(backlog -> backlog.resting(until)),
                        it -> it.withBacklog(backlog -> backlog.rested(until))),
                new Part(
                        "term",
                        it -> it.withBacklog(backlog -> backlog.appended(sync).resting(until)),
                        it -> it.withBacklog(Backlog::idle)));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void a_pool_is_known_until_the_last_that_is_known_of_it_ends(Part part) {
        known.change(POOL, part.begins());
        assertThat(known.all()).hasSize(1);
        known.change(POOL, part.ends());
        assertThat(known.all()).isEmpty();
        assertThat(known.get(POOL).state()).isEqualTo(new State.Idle());
    }

    @Test
    void used_pools_are_in_order_of_their_first_service_ipv4_first() {
        List<String> names = List.of("a", "b", "c", "d", "e", "f", "g", "h");
        for (String name : names.reversed()) {
            for (String suffix : List.of("-ipv6", "")) {
                PoolKey key = PoolKey.of("lb-1", "shop-" + name + suffix);
                known.wants(TestPools.want(new ServiceName("shop", name), key));
            }
        }
        read(ONE); // of no Service
        assertThat(known.usedByService())
                .extracting(pool -> pool.key().pool().toString())
                .containsExactly(names.stream()
                        .flatMap(name -> Stream.of("shop-" + name, "shop-" + name + "-ipv6"))
                        .toArray(String[]::new));
    }

    @Test
    void used_pools_are_in_order_of_their_load_balancers_then_their_names() {
        PoolKey later = PoolKey.of("LB-2", "shop-a");
        PoolKey second = PoolKey.of("lb-1", "shop-y");
        PoolKey first = PoolKey.of("lb-1", "shop-X");
        for (PoolKey key : List.of(later, second, first)) {
            known.wants(TestPools.want(new ServiceName("shop", "a"), key));
        }
        assertThat(known.used()).extracting(Pool::key).containsExactly(first, second, later);
        known.left(new ServiceName("shop", "a"), second);
        assertThat(known.used()).extracting(Pool::key).containsExactly(first, later);
    }

    @Test
    void plans_are_made_once_until_contents_wants_or_operations_change() {
        AtomicInteger made = new AtomicInteger();
        BiFunction<Pool, OperationGroup, Plan> maker = (pool, group) -> {
            made.incrementAndGet();
            return new Plan(POOL, group.services(), ONE, pool.wants().union());
        };
        assertThat(known.get(POOL).plans(maker)).as("nothing is known").isEmpty();

        read(ONE);
        known.change(
                POOL,
                pool -> pool.withBacklog(
                        it -> it.appended(PendingOperation.fresh(new Operation.Sync(WEB, POOL), 1, Instant.EPOCH))));
        assertThat(known.get(POOL).plans(maker)).hasSize(1);
        known.change(
                POOL,
                pool -> pool.withBacklog(it -> it.withKept(true).resting(time.instant()))
                        .withFailed(WEB, FAILED));
        known.get(POOL).plans(maker);
        assertThat(made).hasValue(1);

        known.wants(new Want(WEB, POOL, TWO, true, true, true, false));
        assertThat(known.get(POOL).plans(maker).get(0).planned()).isEqualTo(TWO);
        read(TWO);
        known.get(POOL).plans(maker);
        assertThat(made).hasValue(3);
        read(TWO);
        known.change(POOL, Pool::taken);
        assertThat(known.get(POOL).plans(maker)).hasSize(1);
        assertThat(made).hasValue(3);
        known.change(
                POOL,
                pool -> pool.withBacklog(
                        it -> it.appended(PendingOperation.fresh(new Operation.Sync(WEB, POOL), 2, Instant.EPOCH))));
        assertThat(known.get(POOL).plans(maker)).hasSize(2);
        assertThat(made).hasValue(5);
    }
}
