package dev.poolkeeper.emulators.arm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.emulators.http.GivenAnswer;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.fake.cloud.HttpsFault.Drop;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** ARM without its socket, on fake time. */
class ArmApiTest {

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time, Inventories.two(), Faults.NONE, call -> {});
    private final ArmApi arm = new ArmApi(cloud, ArmSettings.DEFAULT, time, URI.create("https://management.example"));
    private final String loadBalancers = "/subscriptions/" + arm.subscription() + "/resourceGroups/"
            + arm.resourceGroup() + "/providers/Microsoft.Network/loadBalancers";
    private final String kubernetes = loadBalancers + "/kubernetes?api-version=2024-05-01";

    private GivenAnswer get(String target) {
        return GivenAnswer.to(arm, "GET", target, "");
    }

    @Test
    void a_response_is_immediate() {
        GivenAnswer answer = get(kubernetes);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(arm.requests()).singleElement().satisfies(request -> {
            assertThat(request.at()).isEqualTo(time.instant());
            assertThat(request.took()).isZero();
        });
    }

    @Test
    void a_delayed_response_is_sent_and_logged_on_time() {
        cloud.faults().add(FaultRule.always(HttpsFault.NONE.delay(Duration.ofSeconds(30))));

        GivenAnswer answer = get(kubernetes);

        time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(answer.isEmpty()).isTrue();
        assertThat(arm.requests()).isEmpty();
        time.advance(Duration.ofNanos(1));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(arm.requests()).extracting(AnsweredRequest::took).containsExactly(Duration.ofSeconds(30));
    }

    @Test
    void a_client_that_gave_up_gets_no_response() {
        cloud.faults().add(FaultRule.always(HttpsFault.NONE.delay(Duration.ofSeconds(30))));
        GivenAnswer answer = get(kubernetes);

        answer.abandon();
        time.advance(Duration.ofMinutes(1));

        assertThat(answer.isEmpty()).isTrue();
        assertThat(time.pending()).isZero();
    }

    @Test
    void a_dropped_connection_sends_no_response() {
        cloud.faults().add(FaultRule.always(HttpsFault.NONE.drop(Drop.AFTER)));

        assertThat(get(kubernetes).isDropped()).isTrue();
        assertThat(arm.requests()).extracting(AnsweredRequest::status).containsExactly(0);
    }

    @Test
    void links_use_the_emulators_base_uri() {
        arm.change(settings -> settings.withPageSize(1));

        assertThat(get(loadBalancers + "?api-version=2024-05-01").body())
                .contains("\"nextLink\":\"https://management.example/subscriptions/");
    }
}
