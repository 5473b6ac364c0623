package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shutdown and deadlines interrupt the thread that calls. */
@Timeout(60)
class InterruptedCallTest {

    private ArmHarness harness;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        harness.retries = ArmHarness.retrying(3, Duration.ofMillis(800), 503);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @Test
    @Rule(id = "A13", says = "An interrupt ends a call, a poll or a wait within a second.", source = "DESIGN section 4")
    void an_interrupt_ends_a_call_and_is_kept() throws Exception {
        // given
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        harness.arm.then(exchange -> {
            asked.countDown();
            ArmHarness.await(end);
        });
        // when, then
        assertEndsInterrupted(() -> harness.pools().read(SHOP_WEB), asked);
        end.countDown();
    }

    @Test
    void an_interrupt_ends_a_wait_and_is_kept() throws Exception {
        // given
        harness.arm.then(503, "");
        CountDownLatch waiting = new CountDownLatch(1);
        AzurePools pools = poolsThatTell(waiting);
        // when, then
        assertEndsInterrupted(() -> pools.read(SHOP_WEB), waiting);
    }

    @Test
    void an_interrupt_ends_the_wait_for_a_poll_and_is_kept() throws Exception {
        // given
        CountDownLatch waiting = new CountDownLatch(1);
        AzurePools pools = poolsThatTell(waiting);
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(
                201,
                Bodies.poolIn("Updating", ""),
                "Azure-AsyncOperation",
                harness.arm.address() + "/operations/1",
                "Retry-After",
                "30");
        // when, then
        assertEndsInterrupted(() -> pools.write(pool, AddressSet.of("10.0.0.4")), waiting);
    }

    @Test
    void an_interrupted_thread_sends_nothing() {
        // given
        Thread.currentThread().interrupt();
        // when
        Failure failure = failure(harness.pools().read(SHOP_WEB));
        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).isInstanceOf(Failure.Cancelled.class);
        assertThat(harness.arm.asked()).isEmpty();
    }

    /** Their waits last a minute, and tell when they begin. */
    private AzurePools poolsThatTell(CountDownLatch waiting) {
        return harness.builder(ArmHarness.TOKEN)
                .pause(duration -> {
                    waiting.countDown();
                    Pause.REAL.pause(Duration.ofMinutes(1));
                })
                .build();
    }

    /** The call ends within a second after its thread was interrupted, and the thread is still interrupted then. */
    private static void assertEndsInterrupted(Callable<Reply<BackendPool>> call, CountDownLatch underWay)
            throws Exception {
        boolean[] kept = new boolean[1];
        FutureTask<Reply<BackendPool>> task = new FutureTask<>(() -> {
            Reply<BackendPool> reply = call.call();
            kept[0] = Thread.interrupted();
            return reply;
        });
        Thread thread = new Thread(task);
        thread.start();
        underWay.await();
        long began = System.nanoTime();
        thread.interrupt();
        assertThat(task.get()).isEqualTo(Reply.failed(new Failure.Cancelled("interrupted")));
        assertThat(kept[0]).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
    }
}
