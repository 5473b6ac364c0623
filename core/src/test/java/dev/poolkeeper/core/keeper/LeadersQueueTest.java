package dev.poolkeeper.core.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeadersQueueTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final AddressSet WANTED = AddressSet.of("10.0.0.1");
    private static final AddressSet OTHERS = AddressSet.of("10.0.0.2");

    private final FakeTime clock = new FakeTime();
    private final KnownPools known = new KnownPools();
    private final OperationQueue queue = new OperationQueue(UpdateModel.DESIRED_STATE);
    private final LeadersQueue changes = new LeadersQueue(new ChangeQueuer(queue), known);

    private void poolHolds(AddressSet addresses) {
        FakeCloud cloud = new FakeCloud(clock);
        cloud.putPool(POOL, addresses);
        known.listed(((Reply.Ok<List<BackendPool>>) cloud.list()).value(), clock.instant());
    }

    private void adoptAfterListing() {
        changes.afterListing(() -> changes.adopted(WEB, POOL, WANTED));
    }

    @Test
    void a_standby_queues_nothing() {
        adoptAfterListing();
        changes.changed(WEB, POOL, AddressSet.empty(), WANTED);
        changes.retriggered(WEB, POOL, WANTED);
        changes.repeated(WEB, POOL, WANTED);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void a_leader_queues_each_change() {
        changes.lead(true);
        changes.changed(WEB, POOL, AddressSet.empty(), WANTED);
        assertThat(queue.drain()).hasSize(1);
        changes.retriggered(WEB, POOL, WANTED);
        assertThat(queue.drain()).hasSize(1);
        changes.repeated(WEB, POOL, WANTED);
        assertThat(queue.drain()).hasSize(1);
    }

    @Test
    void who_leaves_is_taken_out_whether_this_process_leads_or_not() {
        changes.lead(true);
        changes.changed(WEB, POOL, AddressSet.empty(), WANTED);
        changes.lead(false);
        changes.left(WEB, POOL);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void a_pool_that_was_just_listed_with_what_is_wanted_needs_no_operation() {
        changes.lead(true);
        poolHolds(WANTED);
        adoptAfterListing();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void one_that_holds_something_else_or_is_not_known_or_was_listed_long_ago_does() {
        changes.lead(true);
        adoptAfterListing();
        assertThat(queue.drain()).hasSize(1);
        poolHolds(OTHERS);
        adoptAfterListing();
        assertThat(queue.drain()).hasSize(1);
        poolHolds(WANTED);
        changes.adopted(WEB, POOL, WANTED);
        assertThat(queue.drain()).hasSize(1);
    }

    @Test
    void what_others_want_in_the_pool_counts() {
        changes.lead(true);
        changes.serve(new LocalServices() {
            @Override
            public boolean isLocal(ServiceName service, PoolKey pool) {
                return true;
            }

            @Override
            public AddressSet wantedByOthers(ServiceName service, PoolKey pool) {
                return OTHERS;
            }
        });
        poolHolds(WANTED);
        adoptAfterListing();
        assertThat(queue.drain()).hasSize(1);
        poolHolds(WANTED.union(OTHERS));
        adoptAfterListing();
        assertThat(queue.isEmpty()).isTrue();
    }
}
