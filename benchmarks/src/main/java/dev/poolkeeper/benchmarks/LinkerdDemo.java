package dev.poolkeeper.benchmarks;

import dev.poolkeeper.lab.gateway.BackendAddress;
import dev.poolkeeper.lab.gateway.RunningGateway;
import dev.poolkeeper.ports.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The demo of <a href="https://linkerd.io/2019/02/22/how-we-designed-retries-in-linkerd-2-2/">How we designed retries
 * in Linkerd 2.2</a>, through {@code retry-gateway}.
 */
public final class LinkerdDemo {

    private static final String HOST = "authors.default.svc.cluster.local";
    private static final String RETRIED = "HEAD /authors/{id}.json";
    private static final List<String> ROUTES = List.of(
            "DELETE /authors/{id}.json", "GET /authors.json", "GET /authors/{id}.json", RETRIED, "POST /authors.json");

    /** The success rate that fits the post's first table best, and through it the others. */
    private static final double SUCCESS = 0.53;

    private static final double P50_MILLIS = 3.5;
    private static final double P99_MILLIS = 14;
    private static final double Z99 = 2.3263478740408408;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final int WARM_UP_RPS = 40;
    private static final Pattern ATTEMPTS =
            Pattern.compile("attempts_total\\{route=\"profile [^ ]+ ([^\"]+)\",result=\"([^\"]+)\"} (\\d+)");

    private static final String FORMAT = "%-26s %-8s %18s %14s %15s %11s %12s %12s %12s";

    private LinkerdDemo() {}

    /**
     * A table in the post.
     *
     * @param title the change in this step
     * @param marks the fields added to the route's entry in the profile
     * @param rps requests per second
     * @param post the post's figures
     */
    private record Stage(String title, String marks, double rps, List<String> post) {}

    private static final List<Stage> STAGES = List.of(
            new Stage(
                    "With a ServiceProfile",
                    "",
                    3.9,
                    List.of("50.85%", "3.9rps", "50.85%", "3.9rps", "5ms", "10ms", "17ms")),
            new Stage(
                    "isRetryable: true",
                    "isRetryable: true",
                    2.8,
                    List.of("100.00%", "2.8rps", "58.45%", "4.7rps", "7ms", "25ms", "37ms")),
            new Stage(
                    "isRetryable: true, timeout: 25ms",
                    "isRetryable: true, timeout: 25ms",
                    2.9,
                    List.of("97.73%", "2.9rps", "49.71%", "5.8rps", "9ms", "25ms", "29ms")));

    public static void main(String[] args) throws Exception {
        Duration duration = Duration.ofSeconds(Long.parseLong(args[0]));
        Path folder = Files.createTempDirectory("linkerd-demo");
        Path routes = folder.resolve("profile.yaml");
        try (WireBackend backend = new WireBackend(LinkerdDemo::flaky)) {
            play(profile(""), routes, backend, WARM_UP_RPS, WARM_UP);
            for (Stage stage : STAGES) {
                print(stage, play(profile(stage.marks()), routes, backend, stage.rps(), duration), duration);
            }
        } finally {
            Files.deleteIfExists(routes);
            Files.delete(folder);
        }
    }

    private static boolean flaky() throws InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        double millis = P50_MILLIS * Math.exp(Math.log(P99_MILLIS / P50_MILLIS) / Z99 * random.nextGaussian());
        Thread.sleep(Duration.ofNanos((long) (millis * 1e6)));
        return random.nextDouble() < SUCCESS;
    }

    private static String profile(String marks) {
        return "apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata: {name: " + HOST
                + "}\nspec:\n  routes:\n"
                + ROUTES.stream()
                        .map(route -> "  - {name: '%s', condition: {method: %s, pathRegex: '%s'}%s}%n"
                                .formatted(
                                        route,
                                        route.substring(0, route.indexOf(' ')),
                                        route.substring(route.indexOf('/'))
                                                .replace("{id}", "[^/]*")
                                                .replace(".json", "\\.json"),
                                        route.equals(RETRIED) && !marks.isEmpty() ? ", " + marks : ""))
                        .collect(Collectors.joining());
    }

    /** @param attempts for each route, [DEFAULT] last: attempts, and successful ones */
    private record Played(List<Request> requests, List<long[]> attempts) {}

    /** Uses a separate gateway with a fresh budget. */
    private static Played play(String profile, Path routes, WireBackend backend, double rps, Duration duration)
            throws Exception {
        Files.writeString(routes, profile);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        RunningGateway.Settings settings = new RunningGateway.Settings(
                List.of(routes), List.of(new BackendAddress("", "authors", "127.0.0.1:" + backend.port())), any, any);
        try (SystemTime time = new SystemTime();
                RunningGateway gateway = RunningGateway.start(settings, time, System.err::println);
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            return new Played(load(client, gateway, rps, duration), attempts(client, gateway));
        }
    }

    /** @param status 0 for no response */
    private record Request(int status, double millis) {}

    /** Random arrivals, independent of each other. */
    private static List<Request> load(HttpClient client, RunningGateway gateway, double rps, Duration duration)
            throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        List<Future<Request>> sent = new ArrayList<>();
        long end = System.nanoTime() + duration.toNanos();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            while (true) {
                Thread.sleep(Duration.ofNanos((long) (random.nextExponential() / rps * 1e9)));
                if (System.nanoTime() >= end) {
                    break;
                }
                URI target = URI.create("http://127.0.0.1:" + gateway.address().getPort() + "/authors/"
                        + random.nextInt(1_000) + ".json");
                sent.add(threads.submit(() -> send(client, target)));
            }
        }
        List<Request> requests = new ArrayList<>();
        for (Future<Request> each : sent) {
            requests.add(each.get());
        }
        return requests;
    }

    private static Request send(HttpClient client, URI target) throws InterruptedException, IOException {
        HttpRequest request = HttpRequest.newBuilder(target)
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .header("Host", HOST)
                .build();
        long begun = System.nanoTime();
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        return new Request(status, (System.nanoTime() - begun) / 1e6);
    }

    private static List<long[]> attempts(HttpClient client, RunningGateway gateway) throws Exception {
        URI metrics = URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort() + "/metrics");
        String text = client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                .body();
        List<MatchResult> found = ATTEMPTS.matcher(text).results().toList();
        List<long[]> attempts = new ArrayList<>();
        for (String route : names()) {
            long[] counts = new long[2];
            for (MatchResult each : found) {
                if (each.group(1).equals(route)) {
                    long count = Long.parseLong(each.group(3));
                    counts[0] += count;
                    counts[1] += each.group(2).equals("200") ? count : 0;
                }
            }
            attempts.add(counts);
        }
        return attempts;
    }

    private static List<String> names() {
        List<String> names = new ArrayList<>(ROUTES);
        names.add("[DEFAULT]");
        return names;
    }

    private static void print(Stage stage, Played played, Duration duration) {
        DaemonLarge.print("%n%s%n", stage.title());
        DaemonLarge.print(
                FORMAT,
                "ROUTE",
                "SERVICE",
                "EFFECTIVE_SUCCESS",
                "EFFECTIVE_RPS",
                "ACTUAL_SUCCESS",
                "ACTUAL_RPS",
                "LATENCY_P50",
                "LATENCY_P95",
                "LATENCY_P99");
        for (int i = 0; i < names().size(); i++) {
            String route = names().get(i);
            List<Request> requests = route.equals(RETRIED) ? played.requests() : List.of();
            row(route, figures(requests, played.attempts().get(i), duration.toMillis() / 1e3));
            if (route.equals(RETRIED)) {
                row("  in the post", stage.post());
            }
        }
    }

    private static void row(String route, List<String> figures) {
        List<String> cells = new ArrayList<>(List.of(route, "authors"));
        cells.addAll(figures);
        DaemonLarge.print(FORMAT, cells.toArray());
    }

    private static List<String> figures(List<Request> requests, long[] attempts, double seconds) {
        long good = requests.stream().filter(request -> request.status() == 200).count();
        double[] millis =
                requests.stream().mapToDouble(Request::millis).sorted().toArray();
        return List.of(
                percent(good, requests.size()),
                text("%.1frps", requests.size() / seconds),
                percent(attempts[1], attempts[0]),
                text("%.1frps", attempts[0] / seconds),
                percentile(millis, 50),
                percentile(millis, 95),
                percentile(millis, 99));
    }

    private static String percent(long part, long whole) {
        return text("%.2f%%", whole == 0 ? 0 : 100.0 * part / whole);
    }

    private static String percentile(double[] sorted, int percent) {
        int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
        return text("%.0fms", sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)]);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
