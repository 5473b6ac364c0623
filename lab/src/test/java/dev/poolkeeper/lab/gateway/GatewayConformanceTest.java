package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.RetryContract;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.GepDuration;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Gateway API's cases for retries, by manifests and through the gateway that is shipped. */
@Timeout(60)
class GatewayConformanceTest extends RetryContract {

    private final FakeTime time = new FakeTime(FakeTime.START, () -> 0);
    private final TestBackend backend = new TestBackend();
    private final List<Duration> received = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    private Path folder;

    GatewayConformanceTest() throws Exception {}

    @AfterEach
    void close() {
        backend.close();
    }

    @Override
    protected void answer(int status, int times, Duration delay) {
        backend.answersAll(number -> exchange -> {
            received.add(passed());
            if (number <= times && delay.isPositive()) {
                time.awaitPending(1);
                time.advance(delay);
            }
            exchange.sendResponseHeaders(number <= times ? status : 200, -1);
        });
    }

    @Override
    protected void breakOff(int times) {
        backend.answersAll(number -> exchange -> {
            received.add(passed());
            if (number > times) {
                exchange.sendResponseHeaders(200, -1);
            }
        });
    }

    @Override
    protected List<Duration> received() {
        return List.copyOf(received);
    }

    @Override
    protected Duration passed() {
        return Duration.between(FakeTime.START, time.instant());
    }

    @Override
    protected int overBudget(int failure) {
        return 503;
    }

    @Override
    protected int send(RetryPolicy policy, BudgetSettings budget) throws Exception {
        Path manifests = Files.writeString(folder.resolve("manifests.yaml"), route(policy) + constraint(budget));
        try (VirtualGateway gateway = new VirtualGateway(time, List.of(manifests), backend.as("web"))) {
            assertThat(gateway.notes).isEmpty();
            return gateway.get("/").statusCode();
        }
    }

    private static String route(RetryPolicy policy) {
        return """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: web}
            spec:
              rules:
              - backendRefs: [{name: web, port: 80}]
                retry: {codes: %s, attempts: %d, backoff: %s}
                timeouts: {request: %s, backendRequest: %s}
            """.formatted(
                        policy.codes(),
                        policy.attempts(),
                        GepDuration.format(policy.backoff()),
                        GepDuration.format(policy.request()),
                        GepDuration.format(policy.backendRequest()));
    }

    private static String constraint(BudgetSettings budget) {
        return budget instanceof GatewayApi set
                ? """
                ---
                apiVersion: gateway.networking.x-k8s.io/v1alpha1
                kind: XBackendTrafficPolicy
                metadata: {name: budget}
                spec:
                  targetRefs: [{group: "", kind: Service, name: web}]
                  retryConstraint:
                    budget: {percent: %d, interval: %s}
                    minRetryRate: {count: %d, interval: %s}
                """.formatted(
                                set.percent(),
                                GepDuration.format(set.interval()),
                                set.minRetryRate().count(),
                                GepDuration.format(set.minRetryRate().interval()))
                : "";
    }
}
