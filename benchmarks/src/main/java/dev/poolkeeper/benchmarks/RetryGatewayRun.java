package dev.poolkeeper.benchmarks;

import dev.poolkeeper.benchmarks.WireLoad.Outcome;
import dev.poolkeeper.lab.gateway.BackendAddress;
import dev.poolkeeper.lab.gateway.RunningGateway;
import dev.poolkeeper.ports.SystemTime;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Puts load on {@code retry-gateway}, and prints its throughput and added latency. */
public final class RetryGatewayRun {

    private static final String MANIFESTS = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: HTTPRoute
        metadata: {name: books}
        spec:
          rules:
          - matches: [{path: {type: PathPrefix, value: /books}}]
            backendRefs: [{name: books, port: 80}]
            retry: {codes: [500], attempts: 3}
            timeouts: {request: 10s, backendRequest: 1s}
        ---
        apiVersion: gateway.networking.x-k8s.io/v1alpha1
        kind: XBackendTrafficPolicy
        metadata: {name: books}
        spec:
          targetRefs: [{group: "", kind: Service, name: books}]
          retryConstraint: {budget: {percent: 20, interval: 10s}}
        """;

    private static final int CONNECTIONS = 64;
    private static final int RATE = 1_000;
    private static final int FAILS_EACH = 20;
    private static final Duration WARM_UP = Duration.ofSeconds(20);
    private static final Duration MEASURED = Duration.ofSeconds(15);

    private RetryGatewayRun() {}

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("retry-gateway");
        Path routes = Files.writeString(folder.resolve("routes.yaml"), MANIFESTS);
        AtomicLong requests = new AtomicLong();
        AtomicLong failsEach = new AtomicLong(Long.MAX_VALUE);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (SystemTime time = new SystemTime();
                WireBackend backend = new WireBackend(() -> requests.incrementAndGet() % failsEach.get() != 0);
                RunningGateway gateway = RunningGateway.start(
                        new RunningGateway.Settings(
                                List.of(routes),
                                List.of(new BackendAddress("", "books", "127.0.0.1:" + backend.port())),
                                any,
                                any),
                        time,
                        System.err::println)) {
            int direct = backend.port();
            int through = gateway.address().getPort();
            new WireLoad(direct, CONNECTIONS, WARM_UP.dividedBy(4)).asFastAsItGoes();
            new WireLoad(through, CONNECTIONS, WARM_UP).asFastAsItGoes();
            DaemonLarge.print("| what | requests/s | p50 ms | p99 ms | p99.9 ms | processor µs a request | not 200 |");
            DaemonLarge.print("|---|---:|---:|---:|---:|---:|---:|");
            row("to the backend, as fast as possible", new WireLoad(direct, CONNECTIONS, MEASURED).asFastAsItGoes());
            row(
                    "through the gateway, as fast as possible",
                    new WireLoad(through, CONNECTIONS, MEASURED).asFastAsItGoes());
            row("to the backend, at 1,000/s", new WireLoad(direct, CONNECTIONS, MEASURED).atRate(RATE));
            row("through the gateway, at 1,000/s", new WireLoad(through, CONNECTIONS, MEASURED).atRate(RATE));
            failsEach.set(FAILS_EACH);
            row("the same, 5 % of attempts fail", new WireLoad(through, CONNECTIONS, MEASURED).atRate(RATE));
        } finally {
            Files.delete(routes);
            Files.delete(folder);
        }
    }

    private static String others(Map<Integer, Long> statuses) {
        return statuses.isEmpty()
                ? "0"
                : statuses.entrySet().stream()
                        .map(each -> each.getValue() + " with " + each.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static void row(String what, Outcome outcome) {
        DaemonLarge.print(
                "| %s | %,.0f | %.2f | %.2f | %.2f | %.0f | %s |",
                what,
                outcome.perSecond(),
                outcome.millis(50),
                outcome.millis(99),
                outcome.millis(99.9),
                outcome.processorMicros(),
                others(outcome.others()));
    }
}
