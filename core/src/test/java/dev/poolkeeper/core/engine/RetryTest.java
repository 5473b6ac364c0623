package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent.Cause.Attempt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is retried, how often, and what is reported. Tests 6, 9 to 15, 19, 22 and 23 of the design document. */
class RetryTest {

    private static final FaultRule CONFLICT =
            FaultRule.always(409).code("AnotherOperationInProgress").forMethod("PUT");

    @ParameterizedTest
    @CsvSource({"409,DIFF", "412,DIFF", "409,DESIRED_STATE", "412,DESIRED_STATE"})
    @Rule(
            id = "D06",
            says = "A 409 or 412 on a write requeues, reports the retry, and succeeds on the next tick after a"
                    + " fresh read.",
            source = "design document, Tests 6",
            differs = "Go drops the change immediately.")
    void conflict_or_failed_precondition_is_retried_after_a_fresh_read(int status, UpdateModel model) {
        // given
        UpdateFixture f = new UpdateFixture(model);
        f.fault(FaultRule.always(status).forMethod("PUT").times(1));
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web RETRYING");
        assertThat(f.waiting()).isEqualTo(1);
        // when
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
        assertThat(f.calls()).containsExactly("GET 200", "PUT " + status, "GET 200", "PUT 200");
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.4"));
        assertThat(f.waiting()).isZero();
    }

    @Test
    @Rule(
            id = "D09",
            says = "A fresh operation merged with a requeued one keeps its own count; when the group fails, each"
                    + " consumes one retry.",
            source = "design document, Tests 9")
    void a_fresh_operation_in_a_retried_group_counts_its_own_retries() {
        // given
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(CONFLICT);
        f.want(WEB, POOL, "10.0.0.4");
        f.ticks(2);
        f.want(API, POOL, "10.0.0.5");
        f.events.clear();
        // when
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/api RETRYING");
        assertThat(f.attempts()).extracting(Attempt::number).containsExactly(3L, 1L);
        assertThat(f.attempts()).extracting(Attempt::bound).containsOnly(4L);
    }

    @Test
    @Rule(
            id = "D10",
            says = "In a group of operations with different counts the exhausted one is dropped and reported, the"
                    + " fresh one is requeued.",
            source = "design document, Tests 10")
    void only_the_exhausted_operations_of_a_group_are_dropped() {
        // given
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(CONFLICT.times(4));
        f.want(WEB, POOL, "10.0.0.4");
        f.ticks(3);
        f.want(WEB, POOL, "10.0.0.4", "10.0.0.5");
        f.events.clear();
        // when
        f.tick();
        // then
        assertThat(f.reasons()).containsExactly("shop/web FAILED", "shop/web RETRYING");
        assertThat(f.attempts()).extracting(Attempt::number).containsExactly(4L, 1L);
        assertThat(f.counted()).containsExactly(0L, 1L, 4L);
        assertThat(f.waiting()).isEqualTo(1);
        // when
        f.tick();
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.5"));
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D11",
            says = "Exhausted retries end in a Failed event with guidance, and leave the queue empty.",
            source = "design document, Tests 11 and Expected Behavior")
    void four_failures_give_three_retries_and_a_failed_event_with_a_remedy(UpdateModel model) {
        // given
        UpdateFixture f = new UpdateFixture(model);
        f.fault(CONFLICT);
        f.want(WEB, POOL, "10.0.0.4");
        // when
        f.ticks(6);
        // then
        assertThat(f.reasons())
                .containsExactly("shop/web RETRYING", "shop/web RETRYING", "shop/web RETRYING", "shop/web FAILED");
        assertThat(f.messages())
                .containsExactly(
                        "Backend pool update failed (attempt 1 of 4): HTTP 409 AnotherOperationInProgress. Retrying on"
                                + " the next update.",
                        "Backend pool update failed (attempt 2 of 4): HTTP 409 AnotherOperationInProgress. Retrying on"
                                + " the next update.",
                        "Backend pool update failed (attempt 3 of 4): HTTP 409 AnotherOperationInProgress. Retrying on"
                                + " the next update.",
                        "Backend pool update failed after 3 retries: HTTP 409 AnotherOperationInProgress. To retrigger,"
                                + " cause an endpoint change for the Service (e.g., restart or scale a backing pod).");
        assertThat(f.waiting()).isZero();
        assertThat(f.callsTo(POOL)).isEqualTo(8);
        assertThat(f.counted()).containsExactly(0L, 1L, 3L);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 500, 502, 503, 504})
    @Rule(
            id = "D12",
            says = "A status that is retried inside the call is terminal here: reported, not requeued.",
            source = "design document, Tests 12")
    void a_status_that_the_call_itself_retries_is_terminal(int status) {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(FaultRule.always(status));
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.messages()).containsExactly("Backend pool update failed (non-retriable): HTTP " + status + ".");
        assertThat(f.reasons()).containsExactly("shop/web FAILED");
        assertThat(f.calls()).containsExactly("GET " + status);
        assertThat(f.counted()).containsExactly(0L, 1L, 0L);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 405, 501, 505})
    @Rule(
            id = "D13",
            says = "Any other error is terminal: reported, not requeued.",
            source = "design document, Tests 13")
    void any_other_status_is_terminal(int status) {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(FaultRule.always(status).forMethod("PUT"));
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.reasons()).containsExactly("shop/web FAILED");
        assertThat(f.calls()).containsExactly("GET 200", "PUT " + status);
        assertThat(f.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT"})
    @Rule(
            id = "D14",
            says = "A 404 from a read or a write drops the operation silently: no event, no metric, no retry.",
            source = "design document, Tests 14 and Metrics",
            differs = "Go counts it as a failure.")
    void a_deleted_pool_is_dropped_without_an_event(String method) {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.fault(FaultRule.always(404).forMethod(method));
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.events.events()).isEmpty();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
        assertThat(f.waiting()).isZero();
    }

    @Test
    void an_operation_on_a_pool_unknown_to_arm_is_dropped_without_an_event() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DESIRED_STATE);
        f.want(API, PoolKey.of("no-such-lb", "no-such-pool"), "10.0.0.4");

        f.tick();

        assertThat(f.calls()).containsExactly("GET 404");
        assertThat(f.events.events()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D15",
            says = "An operation whose Service was deleted or has another load balancer is dropped silently"
                    + " before requeueing or reporting.",
            source = "design document, Tests 15")
    void an_operation_that_became_stale_during_its_attempt_is_dropped_without_an_event(UpdateModel model) {
        // given
        PoolKey elsewhere = PoolKey.of("lb-2", "shop-web");
        UpdateFixture f = new UpdateFixture(model);
        f.fault(CONFLICT);
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, OTHER_POOL, "10.0.0.5");
        f.duringWrite(() -> {
            f.view.leave(WEB, POOL);
            f.view.wantIncompletely(WEB, elsewhere, "10.0.0.4");
            f.view.leave(API, OTHER_POOL);
        });
        // when
        f.tick();
        // then
        assertThat(f.calls()).containsExactly("GET 200", "PUT 409");
        assertThat(f.events.events()).isEmpty();
        assertThat(f.waiting()).isZero();
        assertThat(f.counted()).containsExactly(0L, 0L, 0L);
    }

    @ParameterizedTest
    @EnumSource
    void an_operation_whose_service_leaves_while_it_is_requeued_does_not_stay_in_the_queue(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(CONFLICT);
        f.want(WEB, POOL, "10.0.0.4");
        f.duringWrite(() -> f.view.leave(WEB, POOL));

        f.tick();

        assertThat(f.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void an_operation_that_became_stale_during_the_read_is_not_written(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.want(WEB, POOL, "10.0.0.4");
        f.duringRead(() -> f.view.leave(WEB, POOL));

        f.tick();

        assertThat(f.calls()).containsExactly("GET 200");
        assertThat(f.events.events()).isEmpty();
        assertThat(f.waiting()).isZero();
    }

    @Test
    @Rule(
            id = "D19",
            says = "Retry and failure events go to each distinct Service of a group once, however many operations it"
                    + " has.",
            source = "design document, Tests 19",
            differs = "Go emits them on the first operation's Service only.")
    void each_distinct_service_of_a_group_gets_one_event() {
        // given
        UpdateFixture f = new UpdateFixture(
                EngineSettings.REFERENCE.withModel(UpdateModel.DIFF).withMaxRetries(1));
        f.fault(CONFLICT);
        f.want(WEB, POOL, "10.0.0.4", "10.0.0.6");
        f.want(API, POOL, "10.0.0.5");
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, POOL, "10.0.0.5", "10.0.0.7");
        assertThat(f.waiting()).isEqualTo(4);
        // when
        f.ticks(2);
        // then
        assertThat(f.reasons())
                .containsExactly("shop/web RETRYING", "shop/api RETRYING", "shop/web FAILED", "shop/api FAILED");
        assertThat(f.counted()).containsExactly(0L, 1L, 1L);
    }

    @Test
    void each_distinct_service_of_a_group_gets_one_event_about_its_success() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, POOL, "10.0.0.5");
        f.want(WEB, POOL, "10.0.0.4", "10.0.0.6");

        f.tick();

        assertThat(f.reasons()).containsExactly("shop/web UPDATED", "shop/api UPDATED");
        assertThat(f.counted()).containsExactly(1L, 0L, 0L);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D22",
            says = "maxRetries 0 switches retries across ticks off: the first retriable failure is final.",
            source = "design document, Tests 22 and Configuration")
    void without_retries_the_first_failure_is_final(UpdateModel model) {
        UpdateFixture f =
                new UpdateFixture(EngineSettings.REFERENCE.withModel(model).withMaxRetries(0));
        f.fault(CONFLICT);
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(2);

        assertThat(f.reasons()).containsExactly("shop/web FAILED");
        assertThat(f.attempts()).extracting(Attempt::number, Attempt::bound).containsExactly(tuple(1L, 1L));
        assertThat(f.attempts().get(0).failure()).isInstanceOf(Failure.Conflict.class);
        assertThat(f.callsTo(POOL)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "D23",
            says = "An update that was retried and then succeeded counts as one success and no failure.",
            source = "design document, Tests 23")
    void a_success_after_retries_counts_as_one_success(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(CONFLICT.times(2));
        f.want(WEB, POOL, "10.0.0.4");

        f.ticks(3);

        assertThat(f.counted()).containsExactly(1L, 0L, 2L);
        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web RETRYING", "shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    void a_failing_group_does_not_affect_others(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.fault(FaultRule.always(500).forPool("shop-web"));
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, OTHER_POOL, "10.0.0.5");

        f.tick();

        assertThat(f.reasons()).containsExactly("shop/web FAILED", "shop/api UPDATED");
        assertThat(f.held(OTHER_POOL)).isEqualTo(AddressSet.of("10.0.0.5"));
    }

    @ParameterizedTest
    @EnumSource
    void an_adapter_that_throws_does_not_affect_other_groups(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.want(WEB, POOL, "10.0.0.4");
        f.want(API, OTHER_POOL, "10.0.0.5");
        f.duringRead(() -> {
            f.duringRead(() -> {});
            throw new IllegalStateException("a bug");
        });

        f.tick();

        assertThat(f.reasons()).containsExactly("shop/web FAILED", "shop/api UPDATED");
        assertThat(f.messages().get(0)).contains("a bug");
    }
}
