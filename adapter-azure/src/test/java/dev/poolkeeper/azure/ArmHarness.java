package dev.poolkeeper.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.http.ArmAttempt;
import dev.poolkeeper.azure.http.ArmCall;
import dev.poolkeeper.azure.http.ArmCallListener;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import reactor.core.publisher.Mono;

/** Pools against a scripted server, on a clock that advances only by waiting. */
final class ArmHarness implements AutoCloseable {

    static final PoolKey SHOP_WEB = PoolKey.of("lb-2", "shop-web");
    static final TokenCredential TOKEN = request -> Mono.just(new AccessToken("a-token", OffsetDateTime.MAX));
    private static final HttpClient HTTP = http();

    final ScriptedArm arm;
    final FakeTime time = new FakeTime();
    final List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
    final List<ArmCall> calls = Collections.synchronizedList(new ArrayList<>());
    AzureSettings settings;
    CallRetries retries = CallRetries.NONE;

    ArmHarness() throws IOException {
        arm = new ScriptedArm();
        settings = AzureSettings.of(
                        AzureCloud.at(arm.address(), arm.address()),
                        AzureScope.of(Bodies.SUBSCRIPTION, Bodies.GROUP).withVnet("aks-vnet-34567890"))
                .withPolls(new PollSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5)));
    }

    private static HttpClient http() {
        try {
            return ArmHttp.clientTrusting(ScriptedArm.caFile(Files.createTempDirectory("ca")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static HttpClient httpClient() {
        return HTTP;
    }

    AzurePools pools() {
        return builder(TOKEN).build();
    }

    AzurePoolsBuilder builder(TokenCredential credential) {
        return AzurePools.builder(settings, credential, HTTP, time)
                .retries(retries)
                .nodeNames(
                        address -> Optional.of("aks-node-" + address.toString().replaceAll(".*[.:]", "")))
                .listener(new Recorder());
    }

    /** Records calls and waits. */
    private final class Recorder implements ArmCallListener {
        @Override
        public Observation attempting(ArmAttempt attempt) {
            return calls::add;
        }

        @Override
        public void waiting(ArmCall.Purpose purpose, Duration duration) {
            waits.add(duration);
        }
    }

    /** Retries these statuses and connection errors this often, after this wait. */
    static CallRetries retrying(int attempts, Duration delay, Integer... statuses) {
        return context -> new CallRetries.Exchange() {
            private int left = attempts;

            @Override
            public Optional<Duration> attemptTimeout() {
                return Optional.of(Duration.ofSeconds(20));
            }

            @Override
            public CallRetries.Decision afterStatus(int status, Duration retryAfter) {
                return List.of(statuses).contains(status)
                        ? again(delay.compareTo(retryAfter) > 0 ? delay : retryAfter)
                        : new CallRetries.Decision.GiveUp(CallRetries.Reason.NOT_RETRIABLE);
            }

            @Override
            public CallRetries.Decision afterConnectionError() {
                return again(delay);
            }

            private CallRetries.Decision again(Duration wait) {
                return left-- > 0
                        ? new CallRetries.Decision.Retry(wait)
                        : new CallRetries.Decision.GiveUp(CallRetries.Reason.ATTEMPTS_EXHAUSTED);
            }
        };
    }

    static <T> T ok(Reply<T> reply) {
        return switch (reply) {
            case Reply.Ok<T>(T value) -> value;
            case Reply.Failed<T>(Failure failure) -> throw new AssertionError("failed: " + failure);
        };
    }

    static Failure failure(Reply<?> reply) {
        return switch (reply) {
            case Reply.Ok<?>(Object value) -> throw new AssertionError("did not fail: " + value);
            case Reply.Failed<?>(Failure failure) -> failure;
        };
    }

    /** Reads a pool with this body. */
    BackendPool read(AzurePools pools, String body) {
        arm.then(200, body);
        return ok(pools.read(SHOP_WEB));
    }

    @Override
    public void close() {
        arm.close();
    }

    /** Releases a scripted response that waits. */
    /** Lets time pass during an attempt, which starts when the caller waits for it: that may be after its arrival. */
    void passDuringAttempt(Duration duration) {
        try {
            time.awaitPending(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        time.advance(duration);
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
