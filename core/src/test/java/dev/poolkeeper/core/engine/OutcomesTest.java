package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.OTHER_POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of an outcome: reports, remembered failures, and operations that must not be lost. */
class OutcomesTest {

    private static final FaultRule ONE_CONFLICT = FaultRule.always(409).times(1);

    private static UpdateFixture withoutRetries() {
        return new UpdateFixture(EngineSettings.REFERENCE.withMaxRetries(0).withResync(Duration.ofMinutes(10)));
    }

    @Test
    void after_a_failed_event_the_next_slice_event_queues_the_pool_once() {
        // given
        UpdateFixture f = withoutRetries();
        f.fault(ONE_CONFLICT);
        f.want(WEB, POOL, "10.0.0.1");
        f.tick();
        // when
        f.view.touch(WEB, POOL);
        f.view.touch(WEB, POOL);
        // then
        assertThat(f.waiting()).isEqualTo(1);
        // when
        f.tick();
        f.view.touch(WEB, POOL);
        // then
        assertThat(f.reasons()).containsExactly("shop/web FAILED", "shop/web UPDATED");
        assertThat(f.waiting()).isZero();
    }

    @Test
    void each_service_of_a_failed_update_is_tried_again_at_its_own_next_slice_event() {
        for (List<ServiceName> order : List.of(List.of(WEB, API), List.of(API, WEB))) {
            // given
            UpdateFixture f = withoutRetries();
            f.fault(ONE_CONFLICT);
            f.want(WEB, POOL, "10.0.0.1");
            f.want(API, POOL, "10.0.0.1");
            f.tick();
            assertThat(f.reasons()).containsExactlyInAnyOrder("shop/web FAILED", "shop/api FAILED");
            assertThat(f.waiting()).isZero();
            for (ServiceName service : order) {
                // when
                f.view.touch(service, POOL);
                f.view.touch(service, POOL);
            }
            // then
            assertThat(f.waiting()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"written", "found as wanted"})
    void a_success_in_between_means_that_the_next_slice_event_queues_nothing(String success) {
        // given
        UpdateFixture f = withoutRetries();
        f.fault(ONE_CONFLICT);
        f.want(WEB, POOL, "10.0.0.1");
        f.tick();
        f.time.advance(Duration.ofMinutes(11));
        f.engine.listIfDue();
        assertThat(f.waiting()).isEqualTo(1);
        if (success.equals("found as wanted")) {
            f.cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
        }
        f.tick();
        // when
        f.view.touch(WEB, POOL);
        // then
        assertThat(f.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void an_update_that_found_nothing_to_write_is_reported_in_diff_only(UpdateModel model) {
        UpdateFixture f = new UpdateFixture(model);
        f.cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
        f.want(WEB, POOL, "10.0.0.1");

        f.tick();

        assertThat(f.reasons()).hasSize(model == UpdateModel.DIFF ? 1 : 0);
        assertThat(f.counted()).containsExactly(model == UpdateModel.DIFF ? 1L : 0L, 0L, 0L);
    }

    @Test
    @Rule(
            id = "M2",
            says = "An Updated event lists the addresses that the write added and removed, up to eight of each;"
                    + " without a write it lists none.",
            source = "ours")
    void an_updated_event_says_what_was_added_and_removed() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DIFF);
        f.cloud.putPool(POOL, AddressSet.of("10.0.1.1"));
        String[] wanted =
                IntStream.rangeClosed(1, 10).mapToObj(i -> "10.0.0." + i).toArray(String[]::new);
        f.want(WEB, POOL, wanted);
        f.tick();
        f.cloud.putPool(OTHER_POOL, AddressSet.of("10.0.0.1"));
        f.want(API, OTHER_POOL, "10.0.0.1");
        f.tick();

        assertThat(f.events.events())
                .extracting(ServiceEvent::message)
                .containsExactly(
                        "Load balancer backend pool updated successfully: added 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4,"
                                + " 10.0.0.5, 10.0.0.6, 10.0.0.7, 10.0.0.8 and 2 more; removed 10.0.1.1.",
                        "Load balancer backend pool updated successfully");
        assertThat(f.events.events())
                .allSatisfy(event -> assertThat(event.note()).isEqualTo(event.message()));
    }

    @Test
    void the_end_of_a_reported_retry_is_reported_although_nothing_was_written() {
        UpdateFixture f = new UpdateFixture(UpdateModel.DESIRED_STATE);
        f.cloud.putPool(POOL, AddressSet.of("10.0.0.1"));
        f.fault(ONE_CONFLICT);
        f.want(WEB, POOL, "10.0.0.1");

        f.ticks(2);

        assertThat(f.reasons()).containsExactly("shop/web RETRYING", "shop/web UPDATED");
    }

    @ParameterizedTest
    @EnumSource
    void an_event_recorder_that_throws_affects_no_other_group(UpdateModel model) {
        // given
        List<String> emitted = new ArrayList<>();
        UpdateFixture f = new UpdateFixture(
                EngineSettings.REFERENCE.withModel(model),
                builder -> builder.events(event -> {
                    emitted.add(event.service().toString());
                    if (emitted.size() == 1) {
                        throw new IllegalStateException("broken");
                    }
                }),
                UnaryOperator.identity());
        f.want(WEB, POOL, "10.0.0.1");
        f.want(API, OTHER_POOL, "10.0.0.2");
        // when
        f.tick();
        // then
        assertThat(f.waiting()).isZero();
        assertThat(emitted).containsExactly("shop/web", "shop/api");
        assertThat(f.held(OTHER_POOL)).isEqualTo(AddressSet.of("10.0.0.2"));
    }
}
