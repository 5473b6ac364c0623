package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Term;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** What is still sent after leadership or the resource lock was lost, wherever in a call that happens. */
@Timeout(60)
class FencedRequestsTest {

    private static final AddressSet WANTED = AddressSet.of("10.0.0.4", "10.0.0.5");
    private static final String LOST = "leadership or the resource lock was lost";

    private ArmHarness harness;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        harness.retries = ArmHarness.retrying(3, ofMillis(800), 408, 500, 502, 503, 504);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static CallContext whileIt(BooleanSupplier lasts) {
        return new CallContext(Term.during(lasts), false, null);
    }

    private static void assertFenced(Failure failure, String reason) {
        assertThat(failure).isInstanceOfSatisfying(Failure.Cancelled.class, cancelled -> {
            assertThat(cancelled.fenced()).isTrue();
            assertThat(cancelled.reason()).isEqualTo(reason);
        });
    }

    @Test
    @Rule(
            id = "A61",
            says = "Each request of an update is sent only while this process leads and holds the resource lock: the"
                    + " first one, also after a wait for a token, and each repetition. What an accepted write became is"
                    + " still polled.",
            source = "design document, Locking And Queue Safety")
    void a_write_is_not_repeated_after_the_loss() {
        AzurePools pools = harness.pools();
        BackendPool read = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(503, Bodies.error("ServerBusy", "later")).then(200, Bodies.pool("10.0.0.4", "10.0.0.5"));

        Failure failure = failure(pools.write(read, WANTED, whileIt(harness.waits::isEmpty)));

        assertFenced(failure, LOST + " after HTTP 503 ServerBusy: later");
        assertThat(harness.arm.asked()).as("the read and one PUT").hasSize(2);
    }

    @Test
    void a_write_without_an_answer_is_not_repeated_after_the_loss() {
        AzurePools pools = harness.pools();
        BackendPool read = harness.read(pools, Bodies.pool("10.0.0.4"));
        harness.arm.then(ScriptedArm.truncated(200, Bodies.pool()));

        Failure failure = failure(pools.write(read, WANTED, whileIt(harness.waits::isEmpty)));

        assertThat(failure.describe()).startsWith(LOST + " after ");
        assertThat(harness.arm.asked()).hasSize(2);
    }

    @Test
    void nothing_is_sent_after_the_loss() {
        AzurePools pools = harness.pools();
        BackendPool read = harness.read(pools, Bodies.pool("10.0.0.4"));

        assertFenced(failure(pools.write(read, WANTED, whileIt(() -> false))), LOST);
        assertFenced(failure(pools.read(SHOP_WEB, whileIt(() -> false))), LOST);

        assertThat(harness.arm.asked()).as("the first read").hasSize(1);
    }

    @Test
    void a_request_that_waited_for_a_token_is_not_sent_after_the_loss() {
        AtomicBoolean ours = new AtomicBoolean(true);
        TokenCredential slow = request -> Mono.fromCallable(() -> {
            ours.set(false); // while the endpoint takes its time
            return new AccessToken("a-token", OffsetDateTime.MAX);
        });

        Failure failure = failure(harness.builder(slow).build().read(SHOP_WEB, whileIt(ours::get)));

        assertFenced(failure, LOST);
        assertThat(harness.arm.asked()).isEmpty();
    }

    @Test
    void an_accepted_write_is_polled_to_its_end_but_no_poll_is_repeated() {
        AzurePools pools = harness.pools();
        BackendPool read = harness.read(pools, Bodies.pool("10.0.0.4"));
        String operation = harness.arm.address() + "/subscriptions/" + Bodies.SUBSCRIPTION
                + "/providers/Microsoft.Network/locations/westeurope/operations/op-1?api-version=2025-03-01";
        byte[] updating = Bodies.poolIn("Updating", "", "10.0.0.4").getBytes(StandardCharsets.UTF_8);
        AtomicBoolean ours = new AtomicBoolean(true);
        harness.arm
                .then(exchange -> {
                    ours.set(false);
                    ScriptedArm.send(exchange, 201, updating, "Azure-AsyncOperation", operation);
                })
                .then(200, "{\"status\":\"Succeeded\"}")
                .then(200, Bodies.pool("10.0.0.4", "10.0.0.5"));

        BackendPool written = ok(pools.write(read, WANTED, whileIt(ours::get)));

        assertThat(written.addresses()).isEqualTo(WANTED);
    }
}
