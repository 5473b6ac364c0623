package dev.poolkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link BackendPools} and {@link PoolDirectory}. An adapter's test class implements this and provides
 * ways to create pools and to change them like another writer.
 */
public interface BackendPoolsContract {

    PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    /** The adapter under test. */
    BackendPools pools();

    /** The directory under test, over the same load balancers. */
    PoolDirectory directory();

    /** Creates or changes a pool like another writer. */
    void given(PoolKey pool, AddressSet addresses);

    /** Deletes a pool like another writer. */
    void givenNo(PoolKey pool);

    private BackendPool read(PoolKey pool) {
        return value(pools().read(pool));
    }

    private static <T> T value(Reply<T> reply) {
        assertThat(reply).isInstanceOf(Reply.Ok.class);
        return ((Reply.Ok<T>) reply).value();
    }

    private static Failure failure(Reply<?> reply) {
        assertThat(reply).isInstanceOf(Reply.Failed.class);
        return ((Reply.Failed<?>) reply).failure();
    }

    @Test
    default void a_read_gives_what_the_pool_holds() {
        given(POOL, AddressSet.of("10.0.0.4", "10.0.0.5"));

        assertThat(read(POOL).addresses()).isEqualTo(AddressSet.of("10.0.0.4", "10.0.0.5"));
        assertThat(read(POOL).key()).isEqualTo(POOL);
    }

    @Test
    default void names_are_found_in_any_case() {
        given(POOL, AddressSet.of("10.0.0.4"));

        assertThat(read(PoolKey.of("LB-1", "Shop-Web")).addresses()).isEqualTo(AddressSet.of("10.0.0.4"));
    }

    @Test
    default void an_empty_pool_is_read_as_empty() {
        given(POOL, AddressSet.empty());

        assertThat(read(POOL).addresses()).isEqualTo(AddressSet.empty());
    }

    @Test
    default void a_missing_pool_is_not_found() {
        given(POOL, AddressSet.empty());
        givenNo(POOL);

        assertThat(failure(pools().read(POOL))).isInstanceOf(Failure.NotFound.class);
    }

    @Test
    default void a_missing_load_balancer_is_not_found() {
        given(POOL, AddressSet.empty());

        assertThat(failure(pools().read(PoolKey.of("no-such-lb", "shop-web")))).isInstanceOf(Failure.NotFound.class);
    }

    @Test
    default void a_write_sets_exactly_the_given_addresses() {
        given(POOL, AddressSet.of("10.0.0.4", "10.0.0.5"));

        value(pools().write(read(POOL), AddressSet.of("10.0.0.5", "10.0.0.6")));

        assertThat(read(POOL).addresses()).isEqualTo(AddressSet.of("10.0.0.5", "10.0.0.6"));
    }

    @Test
    default void a_write_can_empty_a_pool_and_fill_it_again() {
        given(POOL, AddressSet.of("10.0.0.4"));

        value(pools().write(read(POOL), AddressSet.empty()));
        assertThat(read(POOL).addresses()).isEqualTo(AddressSet.empty());

        value(pools().write(read(POOL), AddressSet.of("10.0.0.7")));
        assertThat(read(POOL).addresses()).isEqualTo(AddressSet.of("10.0.0.7"));
    }

    @Test
    default void a_write_returns_the_pool_as_written() {
        given(POOL, AddressSet.of("10.0.0.4"));

        BackendPool written = value(pools().write(read(POOL), AddressSet.of("10.0.0.5")));

        assertThat(written.addresses()).isEqualTo(AddressSet.of("10.0.0.5"));
        assertThat(written.etag()).isEqualTo(read(POOL).etag());
    }

    @Test
    default void a_pool_can_hold_ipv6_addresses() {
        given(POOL, AddressSet.of("fd12::1"));

        value(pools().write(read(POOL), AddressSet.of("fd12:0:0::1", "fd12::2")));

        assertThat(read(POOL).addresses()).isEqualTo(AddressSet.of("fd12::1", "fd12::2"));
    }

    @Test
    @Rule(
            id = "A1",
            says = "A write to a pool that changed since it was read is refused and has no effect.",
            source = "design document, Retry Model")
    default void a_write_on_a_pool_that_changed_since_it_was_read_is_refused() {
        given(POOL, AddressSet.of("10.0.0.4"));
        BackendPool stale = read(POOL);
        given(POOL, AddressSet.of("10.0.0.9"));

        Failure failure = failure(pools().write(stale, AddressSet.of("10.0.0.5")));

        assertThat(failure).isInstanceOf(Failure.PreconditionFailed.class);
        assertThat(read(POOL).addresses()).isEqualTo(AddressSet.of("10.0.0.9"));
    }

    @Test
    default void a_write_on_a_pool_that_was_deleted_meanwhile_is_not_found_or_refused() {
        given(POOL, AddressSet.of("10.0.0.4"));
        BackendPool stale = read(POOL);
        givenNo(POOL);

        assertThat(failure(pools().write(stale, AddressSet.of("10.0.0.5"))))
                .isInstanceOfAny(Failure.NotFound.class, Failure.PreconditionFailed.class);
        assertThat(failure(pools().read(POOL))).isInstanceOf(Failure.NotFound.class);
    }

    @Test
    default void the_directory_lists_every_pool_of_every_load_balancer() {
        given(POOL, AddressSet.of("10.0.0.4"));
        given(PoolKey.of("lb-2", "shop-web"), AddressSet.of("10.0.0.5"));
        given(PoolKey.of("lb-2", "media-vod-ipv6"), AddressSet.of("fd12::1"));

        List<BackendPool> listed = value(directory().list());

        assertThat(listed)
                .extracting(BackendPool::key)
                .contains(POOL, PoolKey.of("lb-2", "shop-web"), PoolKey.of("lb-2", "media-vod-ipv6"));
        assertThat(listed)
                .filteredOn(pool -> pool.key().equals(POOL))
                .singleElement()
                .satisfies(pool -> assertThat(pool.addresses()).isEqualTo(AddressSet.of("10.0.0.4")));
    }
}
