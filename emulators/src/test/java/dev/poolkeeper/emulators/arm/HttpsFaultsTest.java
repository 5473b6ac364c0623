package dev.poolkeeper.emulators.arm;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.emulators.arm.ArmClient.Answer;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.fake.cloud.HttpsFault.Body;
import dev.poolkeeper.fake.cloud.HttpsFault.Drop;
import dev.poolkeeper.fake.cloud.HttpsFault.Target;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HttpsFaultsTest {

    private static final PoolKey WEB = PoolKey.of("kubernetes", "shop-web");

    private final FakeTime clock = new FakeTime();

    @RegisterExtension
    final ArmEmulatorExtension extension =
            ArmEmulatorExtension.with(Inventories.two()).clock(clock);

    private ArmEmulator arm;
    private ArmClient client;
    private String web;

    @BeforeEach
    void client() {
        arm = extension.emulator();
        client = new ArmClient(arm);
        web = client.pool("KUBERNETES", "SHOP-WEB");
    }

    @Test
    void a_status_fault_applies_as_in_memory_and_counts_requests() throws Exception {
        arm.faults()
                .add(FaultRule.always(429)
                        .forPool("shop-web")
                        .skip(1)
                        .times(1)
                        .retryAfter(ofSeconds(17))
                        .code("TooManyRequests"));

        assertThat(client.get(web).status()).isEqualTo(200);
        Answer refused = client.get(web);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("TooManyRequests");
        assertThat(refused.header("Retry-After")).isEqualTo("17");
        assertThat(client.get(web).status()).isEqualTo(200);
    }

    @Test
    void retry_after_can_be_a_date() throws Exception {
        arm.faults().add(FaultRule.always(429).retryAfter(ofSeconds(90)).https(HttpsFault.NONE.withRetryAfterDate()));

        assertThat(client.get(web).header("Retry-After")).isEqualTo("Sun, 01 Mar 2026 12:01:30 GMT");
    }

    @Test
    void a_retry_after_date_has_a_year_of_at_most_four_digits() throws Exception {
        arm.faults()
                .add(FaultRule.always(429)
                        .retryAfter(ofSeconds(Long.MAX_VALUE))
                        .https(HttpsFault.NONE.withRetryAfterDate()));

        assertThat(client.get(web).header("Retry-After")).isEqualTo("Fri, 31 Dec 9999 23:59:59 GMT");
    }

    @Test
    void a_connection_dropped_before_the_write_changes_nothing() {
        arm.faults().add(FaultRule.always(HttpsFault.NONE.drop(Drop.BEFORE)));

        assertThatThrownBy(() -> client.put(web, ArmClient.poolWith("10.0.0.9")))
                .isInstanceOf(IOException.class);
        assertThat(arm.cloud().addresses(WEB)).contains(AddressSet.of("10.0.0.4"));
        assertThat(arm.requests().getFirst().status()).isZero();
    }

    @Test
    void a_connection_dropped_after_the_write_loses_only_the_response() {
        arm.faults().add(FaultRule.always(HttpsFault.NONE.drop(Drop.AFTER)));

        assertThatThrownBy(() -> client.put(web, ArmClient.poolWith("10.0.0.9")))
                .isInstanceOf(IOException.class);
        assertThat(arm.cloud().addresses(WEB)).contains(AddressSet.of("10.0.0.9"));
    }

    @Test
    void a_truncated_body_ends_before_its_length() {
        arm.faults().add(FaultRule.always(HttpsFault.NONE.body(Body.TRUNCATED)));

        assertThatThrownBy(() -> client.get(web)).isInstanceOf(IOException.class);
    }

    @Test
    void a_garbled_body_is_not_json() {
        arm.faults().add(FaultRule.always(HttpsFault.NONE.body(Body.GARBLED)));

        assertThatThrownBy(() -> client.get(web)).hasMessageContaining("Unexpected");
    }

    @Test
    void a_body_can_be_missing_or_a_page() throws Exception {
        arm.faults().add(FaultRule.always(HttpsFault.NONE.body(Body.EMPTY)).times(1));
        arm.faults().add(FaultRule.always(HttpsFault.NONE.body(Body.HTML)));

        Answer empty = client.get(web);
        Answer page = client.get(web);

        assertThat(empty.status()).isEqualTo(200);
        assertThat(empty.response().body()).isEmpty();
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).isEqualTo("text/html");
    }

    @Test
    void a_delay_holds_back_the_response_in_real_time() throws Exception {
        arm.faults().add(FaultRule.always(HttpsFault.NONE.delay(Duration.ofMillis(30))));

        client.get(web);

        assertThat(arm.requests().getFirst().took()).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void polls_and_lists_have_their_own_rules() throws Exception {
        arm.faults()
                .add(FaultRule.always(429)
                        .https(HttpsFault.NONE.target(Target.OPERATION))
                        .forPool("shop-web"));
        arm.faults().add(FaultRule.always(503).https(HttpsFault.NONE.target(Target.LIST)));

        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));

        assertThat(put.status()).isEqualTo(201);
        assertThat(client.get(put.header("Azure-AsyncOperation")).status()).isEqualTo(429);
        assertThat(client.get(client.loadBalancers()).status()).isEqualTo(503);
        Answer other = client.put(client.pool("kubernetes", "shop-api"), ArmClient.poolWith("10.0.0.9"));
        assertThat(client.get(other.header("Azure-AsyncOperation")).status()).isEqualTo(200);
    }

    @Test
    void a_rule_without_a_target_does_not_apply_to_polls_and_lists() throws Exception {
        arm.faults().add(FaultRule.always(503).forMethod("GET"));

        Answer put = client.put(web, ArmClient.poolWith("10.0.0.9"));

        assertThat(client.get(put.header("Azure-AsyncOperation")).status()).isEqualTo(200);
        assertThat(client.get(client.loadBalancers()).status()).isEqualTo(200);
        assertThat(client.get(web).status()).isEqualTo(503);
        assertThat(client.get(client.loadBalancers() + "/kubernetes").status()).isEqualTo(503);
    }

    @Test
    void a_request_log_holds_no_secret() throws Exception {
        client.send(client.request(
                "POST", "/t/oauth2/v2.0/token", "grant_type=client_credentials&client_id=me&client_secret=hush"));
        client.get(web, "If-Match", "W/\"x\"", "User-Agent", "me/1");

        assertThat(arm.requests().toString()).doesNotContain("hush").doesNotContain("Bearer");
        assertThat(arm.requests().getLast().header("if-match")).isEqualTo("W/\"x\"");
        assertThat(arm.requests().getLast().at()).isEqualTo(clock.instant());
    }
}
