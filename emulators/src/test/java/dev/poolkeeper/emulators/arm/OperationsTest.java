package dev.poolkeeper.emulators.arm;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.emulators.arm.ArmClient.Answer;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OperationsTest {

    private static final PoolKey WEB = PoolKey.of("kubernetes", "shop-web");
    private static final PoolKey API = PoolKey.of("kubernetes", "shop-api");

    private final FakeTime clock = new FakeTime();

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(Inventories.two())
            .clock(clock)
            .settings(ArmSettings.DEFAULT.withOperationDuration(ofSeconds(10)));

    private ArmEmulator arm;
    private ArmClient client;
    private String web;
    private String api;

    @BeforeEach
    void client() {
        arm = extension.emulator();
        client = new ArmClient(arm);
        web = client.pool("kubernetes", "shop-web");
        api = client.pool("kubernetes", "shop-api");
    }

    @Test
    void a_write_is_in_progress_until_its_duration_has_elapsed() throws Exception {
        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));
        String operation = put.header("Azure-AsyncOperation");

        assertThat(put.status()).isEqualTo(201);
        assertThat(put.state()).isEqualTo("Updating");
        assertThat(put.header("Location")).isNull();
        clock.advance(ofSeconds(9));
        assertThat(client.get(operation).json().path("status").asText()).isEqualTo("InProgress");
        assertThat(client.get(web).state()).isEqualTo("Updating");
        assertThat(client.get(api).state()).isEqualTo("Succeeded");
        clock.advance(ofSeconds(1));
        assertThat(client.get(operation).json().path("status").asText()).isEqualTo("Succeeded");
        assertThat(client.get(web).state()).isEqualTo("Succeeded");
        assertThat(client.get(web).etag()).isEqualTo(put.etag());
    }

    @Test
    void without_a_duration_a_write_is_done_with_its_response() throws Exception {
        arm.change(settings -> settings.withOperationDuration(ofSeconds(0)));

        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));

        assertThat(put.state()).isEqualTo("Succeeded");
        assertThat(client.get(put.header("Azure-AsyncOperation"))
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("Succeeded");
    }

    @Test
    void a_write_that_changes_nothing_is_done_at_once_and_keeps_the_etag() throws Exception {
        Answer read = client.get(web);

        Answer put = client.put(web, read.response().body(), "If-Match", read.etag());

        assertThat(put.status()).isEqualTo(200);
        assertThat(put.state()).isEqualTo("Succeeded");
        assertThat(put.etag()).isEqualTo(read.etag());
        assertThat(put.header("Azure-AsyncOperation")).contains("/locations/westeurope/operations/");
    }

    @Test
    void polls_may_have_a_retry_after() throws Exception {
        arm.change(settings -> settings.withRetryAfterOnPolls(ofSeconds(3)));

        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));

        assertThat(put.header("Retry-After")).isEqualTo("3");
        assertThat(client.get(put.header("Azure-AsyncOperation")).header("Retry-After"))
                .isEqualTo("3");
        clock.advance(ofSeconds(10));
        assertThat(client.get(put.header("Azure-AsyncOperation")).header("Retry-After"))
                .isNull();
    }

    @Test
    void a_delete_in_progress_is_visible() throws Exception {
        Answer deleted = client.delete(api);

        assertThat(client.get(api).state()).isEqualTo("Deleting");
        assertThat(client.get(deleted.header("Location")).status()).isEqualTo(202);
        clock.advance(ofSeconds(10));
        assertThat(client.get(api).status()).isEqualTo(404);
        assertThat(client.get(deleted.header("Location")).status()).isEqualTo(204);
    }

    @Test
    void a_later_write_to_the_load_balancer_cancels_the_one_in_progress_and_its_change() throws Exception {
        Answer first = client.put(web, ArmClient.poolWith("10.0.0.9"));
        Answer second = client.put(api, ArmClient.poolWith("10.0.0.8"));

        Answer poll = client.get(first.header("Azure-AsyncOperation"));
        assertThat(poll.status()).isEqualTo(200);
        assertThat(poll.json().path("status").asText()).isEqualTo("Canceled");
        assertThat(poll.code()).isEqualTo("Canceled");
        assertThat(poll.json().at("/error/details/0/code").asText())
                .isEqualTo("CanceledAndSupersededDueToAnotherOperation");
        assertThat(arm.cloud().addresses(WEB)).contains(AddressSet.of("10.0.0.4"));
        clock.advance(ofSeconds(10));
        assertThat(client.get(second.header("Azure-AsyncOperation"))
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("Succeeded");
        assertThat(arm.cloud().addresses(API)).contains(AddressSet.of("10.0.0.8"));
    }

    @Test
    void a_chain_of_cancelled_writes_restores_the_state_before_the_first() throws Exception {
        client.put(web, ArmClient.poolWith("10.0.0.8"));
        client.put(web, ArmClient.poolWith("10.0.0.9"));
        client.put(api, ArmClient.poolWith("10.0.0.7"));

        assertThat(arm.cloud().addresses(WEB)).contains(AddressSet.of("10.0.0.4"));
    }

    @Test
    void a_cancelled_write_may_leave_its_change_behind() throws Exception {
        arm.change(settings -> settings.withConcurrentWrites(ConcurrentWrites.SUPERSEDE_AND_KEEP));

        client.put(web, ArmClient.poolWith("10.0.0.9"));
        client.put(api, ArmClient.poolWith("10.0.0.8"));

        assertThat(arm.cloud().addresses(WEB)).contains(AddressSet.of("10.0.0.9"));
    }

    @Test
    void a_write_with_an_older_etag_is_refused_instead_of_superseding() throws Exception {
        String etag = client.get(api).etag();
        client.put(web, ArmClient.poolWith("10.0.0.9"), "If-Match", etag);

        assertThat(client.put(api, ArmClient.poolWith("10.0.0.8"), "If-Match", etag)
                        .status())
                .isEqualTo(412);
        assertThat(arm.cloud().addresses(WEB)).contains(AddressSet.of("10.0.0.9"));
    }

    @Test
    void concurrent_writes_may_be_refused_with_409() throws Exception {
        arm.change(settings -> settings.withConcurrentWrites(ConcurrentWrites.REFUSE_409));
        client.put(web, ArmClient.poolWith("10.0.0.9"));

        Answer second = client.put(api, ArmClient.poolWith("10.0.0.8"));

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.code()).isEqualTo("AnotherOperationInProgress");
        assertThat(client.put(client.pool("other", "p"), ArmClient.poolWith("10.0.0.8"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void concurrent_writes_may_be_refused_with_429_for_the_load_balancer_alone() throws Exception {
        arm.change(settings -> settings.withConcurrentWrites(ConcurrentWrites.REFUSE_429));
        client.put(web, ArmClient.poolWith("10.0.0.9"));
        clock.advance(ofSeconds(4));

        Answer second = client.put(api, ArmClient.poolWith("10.0.0.8"));

        assertThat(second.status()).isEqualTo(429);
        assertThat(second.code()).isEqualTo("RetryableError");
        assertThat(second.json().at("/error/details/0/code").asText()).isEqualTo("RetryableErrorDueToAnotherOperation");
        assertThat(second.header("Retry-After")).isEqualTo("6");
    }

    @Test
    void a_fault_may_fail_an_operation_and_discard_its_write() throws Exception {
        arm.faults()
                .add(FaultRule.always(HttpsFault.NONE.operation(HttpsFault.Ending.FAILED))
                        .forMethod("PUT")
                        .times(1)
                        .code("AnotherOperationInProgress"));

        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));
        clock.advance(ofSeconds(10));

        Answer poll = client.get(put.header("Azure-AsyncOperation"));
        assertThat(put.status()).isEqualTo(201);
        assertThat(poll.json().path("status").asText()).isEqualTo("Failed");
        assertThat(poll.code()).isEqualTo("AnotherOperationInProgress");
        assertThat(client.get(web).state()).isEqualTo("Failed");
        assertThat(arm.cloud().addresses(WEB)).contains(AddressSet.of("10.0.0.4"));
        assertThat(client.put(web, ArmClient.poolWith("10.0.0.4")).status()).isEqualTo(201);
        clock.advance(ofSeconds(10));
        assertThat(client.get(web).state()).isEqualTo("Succeeded");
    }

    @Test
    void an_operation_without_duration_can_fail_too() throws Exception {
        arm.change(settings -> settings.withOperationDuration(ofSeconds(0)));
        arm.faults().add(FaultRule.always(HttpsFault.NONE.operation(HttpsFault.Ending.CANCELED)));

        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));

        assertThat(put.state()).isEqualTo("Updating");
        assertThat(client.get(put.header("Azure-AsyncOperation"))
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("Canceled");
    }

    @Test
    void operations_have_their_start_and_end_times() throws Exception {
        client.put(web, ArmClient.poolWith("10.0.0.9"));
        clock.advance(ofSeconds(10));
        client.put(web, ArmClient.poolWith("10.0.0.8"));

        assertThat(arm.operations()).hasSize(2);
        assertThat(arm.operations().get(0).endsAt())
                .isBeforeOrEqualTo(arm.operations().get(1).startedAt());
        assertThat(arm.operations()).extracting(ArmOperation::status).containsExactly("Succeeded", "InProgress");
    }

    @Test
    void operations_can_run_on_a_clock_of_their_own() throws Exception {
        FakeTime own = new FakeTime();
        arm.change(settings -> settings.withOperationClock(own));

        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));
        clock.advance(ofSeconds(60));

        assertThat(client.get(web).state()).isEqualTo("Updating");
        own.advance(ofSeconds(10));
        assertThat(client.get(put.header("Azure-AsyncOperation"))
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("Succeeded");
    }

    @Test
    void a_load_balancer_with_backends_is_written_for_as_long_as_a_pool() throws Exception {
        String loadBalancer = client.loadBalancers() + "/kubernetes";
        String changed = client.get(loadBalancer).response().body().replace("10.0.0.4", "10.0.0.5");

        Answer put = client.put(loadBalancer, changed);

        assertThat(put.state()).isEqualTo("Updating");
        assertThat(client.get(web).state()).isEqualTo("Updating");
        assertThat(client.put(web, ArmClient.poolWith("10.0.0.6")).status()).isEqualTo(201);
        assertThat(client.get(put.header("Azure-AsyncOperation"))
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("Canceled");
        assertThat(client.get(loadBalancer).json().at("/tags/team").asText()).isEqualTo("edge");
    }

    @Test
    void an_unknown_operation_is_not_found() throws Exception {
        Answer poll = client.get("/subscriptions/" + arm.subscription()
                + "/providers/Microsoft.Network/locations/westeurope/operations/nobody");

        assertThat(poll.status()).isEqualTo(404);
    }
}
