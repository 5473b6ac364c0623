package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent.Cause.Attempt;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pools whose last operation has not succeeded. */
class ProvisioningTest {

    private ProvisioningState shown = ProvisioningState.SUCCEEDED;

    /** The states that the next writes leave; succeeded after them. */
    private final Deque<ProvisioningState> afterWrites = new ArrayDeque<>();

    private UpdateFixture fixture(UpdateModel model) {
        return new UpdateFixture(
                EngineSettings.REFERENCE.withModel(model), UnaryOperator.identity(), this::showingStates);
    }

    private BackendPools showingStates(BackendPools cloud) {
        return new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                return shown(cloud.read(pool, context));
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                shown = afterWrites.isEmpty() ? ProvisioningState.SUCCEEDED : afterWrites.remove();
                return shown(cloud.write(read, addresses, context));
            }
        };
    }

    private Reply<BackendPool> shown(Reply<BackendPool> reply) {
        return reply instanceof Reply.Ok<BackendPool>(BackendPool pool)
                ? Reply.ok(new BackendPool(
                        pool.key(), pool.addresses(), pool.etag(), pool.source(), shown, pool.unwritable()))
                : reply;
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "S12",
            says = "A pool whose last operation failed or was canceled is written again, even if it shows the wanted"
                    + " addresses.",
            source = "contract, Replay rule 8; Azure/acs-engine#446",
            differs = "Go writes only different addresses.")
    void a_pool_whose_operation_failed_is_written_though_its_contents_are_right(UpdateModel model) {
        UpdateFixture f = fixture(model);
        f.cloud.putPool(POOL, AddressSet.of("10.0.0.4"));
        shown = ProvisioningState.FAILED;
        f.want(WEB, POOL, "10.0.0.4");

        f.tick();

        assertThat(f.calls()).containsExactly("GET 200", "PUT 200");
        assertThat(f.messages())
                .containsExactly("Load balancer backend pool updated successfully: the same addresses were written"
                        + " again, because the last operation on the pool had failed.");
        assertThat(f.status(POOL).difference()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "S13",
            says = "Success is reported only once the pool's provisioningState is Succeeded; until then a write counts"
                    + " as failed and is retried as often as any other.",
            source = "contract, Replay rule 8; kubernetes/kubernetes#95748")
    void a_write_whose_pool_is_not_succeeded_is_not_reported_as_updated(UpdateModel model) {
        UpdateFixture f = fixture(model);
        for (int i = 0; i < 100; i++) {
            afterWrites.add(ProvisioningState.FAILED);
        }
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(20);

        assertThat(f.reasons())
                .containsExactly("shop/web RETRYING", "shop/web RETRYING", "shop/web RETRYING", "shop/web FAILED");
        assertThat(f.attempts()).extracting(Attempt::number).containsExactly(1L, 2L, 3L, 4L);
        assertThat(f.calls()).hasSize(8); // no endless loop of writes
        assertThat(f.status(POOL).difference()).isPresent();
    }

    @Test
    void a_write_that_succeeds_at_the_second_attempt_is_reported_once() {
        UpdateFixture f = fixture(UpdateModel.DESIRED_STATE);
        afterWrites.add(ProvisioningState.FAILED);
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(5);

        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
        assertThat(f.calls()).containsExactly("GET 200", "PUT 200", "GET 200", "PUT 200");
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "S14",
            says = "A pool with another operation in progress is not written, because that would cancel it; the read"
                    + " counts as a 409.",
            source = "contract, Replay rule 8")
    void what_another_writer_has_in_progress_is_not_cancelled(UpdateModel model) {
        UpdateFixture f = fixture(model);
        shown = ProvisioningState.UPDATING;
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);
        shown = ProvisioningState.SUCCEEDED;
        f.tick();

        assertThat(f.calls()).containsExactly("GET 200", "GET 200", "GET 200", "PUT 200");
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web RETRYING", "shop/web UPDATED");
        assertThat(f.attempts()).extracting(Attempt::failure).hasOnlyElementsOfType(Failure.Conflict.class);
    }

    @ParameterizedTest
    @EnumSource
    void a_comparison_repairs_a_failed_pool_and_leaves_a_busy_one(ProvisioningState state) {
        EngineFixture the = new EngineFixture();
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
        the.listedAs =
                pool -> new BackendPool(pool.key(), pool.addresses(), pool.etag(), null, state, Optional.empty());

        the.time.advance(EngineSettings.DEFAULT.resync().multipliedBy(2));
        the.engine.listIfDue();

        Optional<Difference> difference = the.engine.status().pools().getFirst().difference();
        assertThat(the.waiting()).isEqualTo(state == ProvisioningState.FAILED ? 1 : 0);
        assertThat(difference.isEmpty()).isEqualTo(state == ProvisioningState.SUCCEEDED);
        if (state == ProvisioningState.UPDATING) {
            assertThat(difference.orElseThrow().why())
                    .isEqualTo(new Why.NotCompared(Optional.empty(), Optional.of(state), false));
        }
    }

    /** The read that showed it succeeded. */
    @Test
    void a_pool_that_stays_in_progress_is_given_up_for_that() {
        UpdateFixture f = fixture(UpdateModel.DESIRED_STATE);
        shown = ProvisioningState.UPDATING;
        f.want(WEB, POOL, "10.0.0.4");
        f.ticks(4);
        Instant end = f.time.instant();
        f.ticks(3);
        Difference difference = f.status(POOL).difference().orElseThrow();
        assertThat(difference.why())
                .isInstanceOfSatisfying(
                        Why.GaveUp.class, why -> assertThat(why.last()).isInstanceOf(Failure.Conflict.class));
        assertThat(difference.since()).contains(end);
    }

    @Test
    void a_failed_pool_whose_service_has_no_slice_yet_is_said_to_be_incomplete() {
        EngineFixture the = new EngineFixture();
        the.pool("web", 1);
        the.put("web", false, 0);
        the.listedAs = pool -> new BackendPool(
                pool.key(), pool.addresses(), pool.etag(), null, ProvisioningState.FAILED, Optional.empty());
        the.lead();
        the.tick();

        assertThat(the.waiting()).isZero();
        assertThat(the.status("web").difference().orElseThrow().reason()).isEqualTo(Difference.Reason.INCOMPLETE);
    }

    @Test
    void a_failed_pool_is_repaired_for_one_service_though_another_in_it_has_no_slice_yet() {
        EngineFixture the = new EngineFixture();
        PoolKey shared = the.inStep(new ServiceName("a", "b-c"), 1);
        the.put(new ServiceName("a-b", "c"), false, 0);
        the.listedAs = pool -> new BackendPool(
                pool.key(), pool.addresses(), pool.etag(), null, ProvisioningState.FAILED, Optional.empty());
        the.lead();
        the.engine.listIfDue();

        assertThat(the.waiting()).isEqualTo(1);
        assertThat(the.engine
                        .pool(shared)
                        .orElseThrow()
                        .difference()
                        .orElseThrow()
                        .reason())
                .isEqualTo(Difference.Reason.QUEUED);
    }
}
