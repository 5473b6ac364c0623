package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Term;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write that ends after its term as leader, in a process that is the leader again. */
class EndedTermTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final TestClusterView view = new TestClusterView();
    private final Engine engine = Engine.builder(view, new InterruptedWrites(), cloud, time)
            .hasSynced(() -> true)
            .settings(EngineSettings.REFERENCE)
            .build();

    /** The events during the next write, and its outcome. */
    private Function<Reply<BackendPool>, Reply<BackendPool>> duringNextWrite = written -> written;

    private final class InterruptedWrites implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            return cloud.read(pool, context);
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            Function<Reply<BackendPool>, Reply<BackendPool>> now = duringNextWrite;
            duringNextWrite = written -> written;
            return now.apply(cloud.write(read, addresses, context));
        }
    }

    @BeforeEach
    void lead() {
        cloud.putPool(POOL, AddressSet.of("10.0.0.9"));
        view.want(WEB, POOL, "10.0.0.1");
        leadAgain();
    }

    private void leadAgain() {
        engine.stopLeading();
        engine.startLeading(Term.untilEnded());
        engine.listIfDue();
    }

    @Test
    void the_next_term_writes_what_is_then_wanted() {
        // given: the wanted set changes between the terms
        duringNextWrite = written -> {
            engine.stopLeading();
            view.want(WEB, POOL, "10.0.0.2");
            return written;
        };
        Ticks.of(engine).join();
        // when
        leadAgain();
        Ticks.of(engine).join();
        // then
        assertThat(cloud.addresses(POOL)).contains(AddressSet.of("10.0.0.2"));
    }

    @Test
    void the_next_term_repeats_a_write_with_an_unknown_outcome() {
        // given: it is never applied
        duringNextWrite = written -> {
            cloud.putPool(POOL, AddressSet.of("10.0.0.9"));
            engine.stopLeading();
            return Reply.failed(new Failure.Cancelled("superseded"));
        };
        Ticks.of(engine).join();
        // when
        leadAgain();
        Ticks.of(engine).join();
        // then
        assertThat(cloud.addresses(POOL)).contains(AddressSet.of("10.0.0.1"));
    }

    @Test
    void a_term_that_begins_during_the_write_of_an_earlier_one_reads_the_pool_after_it() {
        // given: the next term's listing shows the wanted addresses, and the write completes after that
        duringNextWrite = written -> {
            cloud.putPool(POOL, AddressSet.of("10.0.0.2"));
            view.want(WEB, POOL, "10.0.0.2");
            leadAgain();
            cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
            return written;
        };
        Ticks.of(engine).join();
        // when
        Ticks.of(engine).join();
        // then
        assertThat(cloud.addresses(POOL)).contains(AddressSet.of("10.0.0.2"));
    }

    @Test
    void a_pool_left_as_wanted_by_an_ended_term_has_nothing_queued() {
        // given
        duringNextWrite = written -> {
            engine.stopLeading();
            return written;
        };
        Ticks.of(engine).join();
        // when
        leadAgain();
        // then
        assertThat(engine.status().work().operations()).isZero();
        assertThat(engine.status().pools())
                .allSatisfy(pool -> assertThat(pool.difference()).isEmpty());
    }
}
