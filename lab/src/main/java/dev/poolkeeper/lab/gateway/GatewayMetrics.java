package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.ports.ForeignText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The metrics of the gateway, in Prometheus' text format. Thread-safe. */
final class GatewayMetrics {

    private static final double[] BUCKETS = {.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60};
    private static final double NANOS = 1e9;

    private final Map<Key, LongAdder> requests = new ConcurrentSkipListMap<>();
    private final Map<Key, LongAdder> attempts = new ConcurrentSkipListMap<>();
    private final Map<String, RouteRecord> records = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> retries = new ConcurrentSkipListMap<>();
    private final LongAdder[] durations = IntStream.rangeClosed(0, BUCKETS.length)
            .mapToObj(i -> new LongAdder())
            .toArray(LongAdder[]::new);
    private final LongAdder durationNanos = new LongAdder();
    private final LongAdder inProgress = new LongAdder();
    private final Supplier<Map<String, RetryModel.BudgetStatus>> budgets;

    private record Key(String route, String result) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byRoute = route.compareTo(other.route);
            return byRoute != 0 ? byRoute : result.compareTo(other.result);
        }
    }

    GatewayMetrics(Supplier<Map<String, RetryModel.BudgetStatus>> budgets) {
        this.budgets = budgets;
    }

    void began() {
        inProgress.increment();
    }

    /** A client received this status. */
    void ended(String route, int status, Duration took) {
        inProgress.decrement();
        count(requests, new Key(route, Integer.toString(status)));
        int found = Arrays.binarySearch(BUCKETS, took.toNanos() / NANOS);
        durations[found < 0 ? -found - 1 : found].increment();
        durationNanos.add(took.toNanos());
        if (!route.isEmpty()) {
            record(route).ended(status, took);
        }
    }

    private RouteRecord record(String route) {
        return records.computeIfAbsent(route, ignored -> new RouteRecord());
    }

    /** The record of a route; empty if it had no requests. */
    Optional<RouteRecord> recorded(String route) {
        return Optional.ofNullable(records.get(route));
    }

    /** An attempt received this status. */
    void attempted(String route, int status, Duration took) {
        count(attempts, new Key(route, Integer.toString(status)));
        record(route).attempted(status, took);
    }

    /** @param why {@code timeout} or {@code connection} */
    void attemptFailed(String route, String why, Duration took) {
        count(attempts, new Key(route, why));
        record(route).attempted(0, took);
    }

    void retried(String route) {
        retries.computeIfAbsent(route, ignored -> new LongAdder()).increment();
    }

    private static void count(Map<Key, LongAdder> counts, Key key) {
        counts.computeIfAbsent(key, ignored -> new LongAdder()).increment();
    }

    String text() {
        StringBuilder text = new StringBuilder(4_096);
        head(text, "poolkeeper_gateway_requests_total", "counter", "Responses to clients by route and status.");
        requests.forEach((key, count) -> line(text, "poolkeeper_gateway_requests_total", "status", key, count));
        head(text, "poolkeeper_gateway_attempts_total", "counter", "Attempts sent to backends by route and result.");
        attempts.forEach((key, count) -> line(text, "poolkeeper_gateway_attempts_total", "result", key, count));
        head(text, "poolkeeper_gateway_retries_total", "counter", "Retries that were sent, by route.");
        retries.forEach((route, count) -> text.append("poolkeeper_gateway_retries_total{route=\"")
                .append(escaped(route))
                .append("\"} ")
                .append(count.sum())
                .append('\n'));
        head(text, "poolkeeper_gateway_requests_in_progress", "gauge", "Requests in progress.");
        text.append("poolkeeper_gateway_requests_in_progress ")
                .append(inProgress.sum())
                .append('\n');
        durations(text);
        budgets(text);
        return text.toString();
    }

    private void durations(StringBuilder text) {
        String name = "poolkeeper_gateway_request_duration_seconds";
        head(text, name, "histogram", "Time until clients receive the response, including retries and waits.");
        long sum = 0;
        for (int i = 0; i < BUCKETS.length; i++) {
            sum += durations[i].sum();
            text.append(String.format(Locale.ROOT, "%s_bucket{le=\"%s\"} %d%n", name, BUCKETS[i], sum));
        }
        sum += durations[BUCKETS.length].sum();
        text.append(String.format(Locale.ROOT, "%s_bucket{le=\"+Inf\"} %d%n", name, sum));
        text.append(String.format(Locale.ROOT, "%s_sum %s%n", name, durationNanos.sum() / NANOS));
        text.append(String.format(Locale.ROOT, "%s_count %d%n", name, sum));
    }

    private void budgets(StringBuilder text) {
        head(text, "poolkeeper_gateway_retries_refused_total", "counter", "Retries that a budget refused.");
        budgets.get()
                .forEach((name, status) -> text.append("poolkeeper_gateway_retries_refused_total{budget=\"")
                        .append(escaped(name))
                        .append("\"} ")
                        .append(status.refused())
                        .append('\n'));
        head(text, "poolkeeper_gateway_retry_budget_balance", "gauge", "Retries currently available in a budget.");
        budgets.get()
                .forEach((name, status) -> status.balance()
                        .ifPresent(balance -> text.append("poolkeeper_gateway_retry_budget_balance{budget=\"")
                                .append(escaped(name))
                                .append("\"} ")
                                .append(balance)
                                .append('\n')));
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private static void line(StringBuilder text, String name, String label, Key key, LongAdder count) {
        text.append(name)
                .append("{route=\"")
                .append(escaped(key.route()))
                .append("\",")
                .append(label)
                .append("=\"")
                .append(key.result())
                .append("\"} ")
                .append(count.sum())
                .append('\n');
    }

    private static String escaped(String label) {
        return ForeignText.line(label).replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
