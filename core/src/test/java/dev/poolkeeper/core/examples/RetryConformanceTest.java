package dev.poolkeeper.core.examples;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.RetryContract;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.retry.PolicyCallRetries;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The example in {@code docs/embedding.md} passes the Gateway API's cases. */
class RetryConformanceTest extends RetryContract {

    private final FakeTime time = new FakeTime(FakeTime.START, () -> 0);
    private final LoopbackBackend backend = new LoopbackBackend(time);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() throws IOException {
        backend.close();
        client.close();
    }

    @Override
    protected void answer(int status, int times, Duration delay) {
        backend.answer(status, times, delay);
    }

    @Override
    protected void breakOff(int times) {
        backend.breakOff(times);
    }

    @Override
    protected List<Duration> received() {
        return backend.received();
    }

    @Override
    protected Duration passed() {
        return Duration.between(FakeTime.START, time.instant());
    }

    @Override
    protected int send(RetryPolicy policy, BudgetSettings budget) throws InterruptedException {
        return send(policy, budget, "GET");
    }

    private int send(RetryPolicy policy, BudgetSettings budget, String method) throws InterruptedException {
        RetryingHttpClient retrying = new RetryingHttpClient(
                client, new PolicyCallRetries(policy, RetryBudget.of(budget, time::nanoTime), time), time);
        HttpRequest request = HttpRequest.newBuilder(backend.uri())
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return retrying.send(request, BodyHandlers.discarding()).statusCode();
        } catch (HttpTimeoutException e) {
            return TIMED_OUT;
        } catch (IOException e) {
            return NO_ANSWER;
        }
    }

    @Test
    @Rule(
            id = "P97",
            says = "Calls that are not idempotent are not retried; GET and PUT, which is all that Poolkeeper sends to"
                    + " change a pool, are.",
            source = "Linkerd 2.2 retries, Marking a route as retryable")
    void requests_that_are_not_idempotent_are_not_retried() throws Exception {
        RetryPolicy policy = new RetryPolicy(Set.of(503), 3, ofMillis(20), ZERO, ZERO);
        answer(503, 1, ZERO);
        assertThat(send(policy, new BudgetSettings.Endless(), "POST")).isEqualTo(503);
        answer(503, 1, ZERO);
        assertThat(send(policy, new BudgetSettings.Endless(), "PUT")).isEqualTo(200);
    }

    @Test
    void the_page_shows_this_class() throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/poolkeeper/core/examples/RetryingHttpClient.java"));
        assertThat(Path.of("../docs/embedding.md")).content().contains("```java\n" + source + "```");
    }
}
