package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpResponse;
import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmCallListener;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Shutdown and deadlines interrupt the calling thread. */
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
    @Rule(
            id = "A13",
            says = "An interrupt ends a call, a poll or a wait immediately, and the thread stays interrupted.",
            source = "ours")
    void an_interrupt_ends_a_call_and_is_kept() throws Exception {
        // given
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        harness.arm.then(exchange -> {
            asked.countDown();
            ArmHarness.await(end);
        });
        FutureTask<Boolean> call = new FutureTask<>(() -> {
            assertEndedInterrupted(failure(harness.pools().read(SHOP_WEB)));
            return true;
        });
        Thread thread = new Thread(call);
        thread.start();
        asked.await();
        // when
        thread.interrupt();
        // then
        assertThat(call.get()).isTrue();
        end.countDown();
    }

    @Test
    void an_interrupt_ends_a_wait_and_is_kept() {
        // given
        harness.arm.then(503, "");
        // when
        Failure failure = failure(poolsWhoseWaitsAreInterrupted().read(SHOP_WEB));
        // then
        assertEndedInterrupted(failure);
    }

    @Test
    void an_interrupt_ends_the_wait_for_a_poll_and_is_kept() {
        // given
        AzurePools pools = poolsWhoseWaitsAreInterrupted();
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(
                201,
                Bodies.poolIn("Updating", ""),
                "Azure-AsyncOperation",
                harness.arm.address() + "/operations/1",
                "Retry-After",
                "30");
        // when
        Failure failure = failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertEndedInterrupted(failure);
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

    /** Interrupts the waiting thread. */
    private AzurePools poolsWhoseWaitsAreInterrupted() {
        return harness.builder(ArmHarness.TOKEN)
                .listener(new ArmCallListener() {
                    @Override
                    public Observation attempting(ArmAttempt attempt) {
                        return call -> {};
                    }

                    @Override
                    public void waiting(ArmCall.Purpose purpose, Duration duration) {
                        Thread.currentThread().interrupt();
                    }
                })
                .build();
    }

    private static void assertEndedInterrupted(Failure failure) {
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).isEqualTo(new Failure.Cancelled("interrupted"));
    }

    /** Whatever ends the wait for a response, no connection is kept for it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_call_that_is_given_up_is_cancelled(boolean isInterrupted) throws Exception {
        // given
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        HttpClient silent = request -> Mono.<HttpResponse>never()
                .doOnSubscribe(unused -> asked.countDown())
                .doOnCancel(cancelled::countDown);
        AzurePools pools = AzurePools.builder(harness.settings, ArmHarness.TOKEN, silent, harness.time)
                .build();
        FutureTask<Failure> call = new FutureTask<>(() -> failure(pools.read(SHOP_WEB)));
        Thread thread = new Thread(call);
        thread.start();
        asked.await();
        // when
        if (isInterrupted) {
            thread.interrupt();
        } else {
            harness.passDuringAttempt(harness.settings.polls().deadline());
        }
        // then
        assertThat(call.get()).isInstanceOf(Failure.Cancelled.class);
        assertThat(cancelled.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
