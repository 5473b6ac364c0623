package dev.poolkeeper.lab.retries;

import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A workload, a backend, and the policies to compare on them.
 *
 * @param name its name
 * @param description what it demonstrates, in a sentence or two
 * @param seed the default seed
 * @param seeds the number of further runs that show the spread of the results; 0 for none
 * @param duration how long requests arrive
 * @param services the number of services that a request passes, the last being the backend; each of the others calls
 *     the next one with the same policy and its own budget
 * @param workload the arrival of requests
 * @param backend the backend
 * @param phases deviations from workload and backend; overlapping phases are combined
 * @param policies at least one
 */
public record Scenario(
        String name,
        String description,
        long seed,
        int seeds,
        Duration duration,
        int services,
        Workload workload,
        Backend backend,
        List<Phase> phases,
        List<NamedPolicy> policies) {

    public Scenario {
        phases = List.copyOf(phases);
        policies = List.copyOf(policies);
    }

    /**
     * The arrival of requests: random and independent of each other.
     *
     * @param rps requests per second, on average
     * @param tick if set, requests wait for the next tick, like the updater's; zero for no wait
     * @param maxRetries how often the updater retries a request at later ticks
     * @param routes the routes of requests; empty if requests are not distinguished
     */
    public record Workload(double rps, Duration tick, int maxRetries, List<Route> routes) {

        public Workload {
            routes = List.copyOf(routes);
        }
    }

    /**
     * A route taken by a share of the requests. Requests without a route are on {@link #DEFAULT_ROUTE}.
     *
     * @param name its name
     * @param share of the requests, 0 to 1
     * @param success the probability that an attempt succeeds; negative for the backend's
     */
    public record Route(String name, double share, double success) {}

    /** The route of all other requests, named as in Linkerd's tables. */
    static final String DEFAULT_ROUTE = "[DEFAULT]";

    /**
     * The backend.
     *
     * @param success the probability that an attempt succeeds, 0 to 1
     * @param status the status of a failed attempt
     * @param p50 the median duration of an attempt, distributed lognormally
     * @param p99 the 99th percentile of that
     * @param workers the number of attempts processed in parallel; empty for no limit. It does not notice when a client
     *     gives up
     * @param queue the number of attempts waiting for a worker; beyond it the answer is 503
     * @param burst the size of its token bucket, from which each attempt takes one token; empty for no bucket. Without
     *     a token the answer is 429
     * @param refill tokens per second
     */
    public record Backend(
            double success,
            int status,
            Duration p50,
            Duration p99,
            OptionalInt workers,
            int queue,
            OptionalInt burst,
            double refill) {}

    /**
     * A period with different conditions.
     *
     * @param from its start
     * @param until its end
     * @param success replaces the backend's; negative for no change
     * @param latencyFactor applied to the duration of attempts
     * @param rpsFactor applied to the requests per second
     */
    public record Phase(Duration from, Duration until, double success, double latencyFactor, double rpsFactor) {

        boolean holds(long nanos) {
            return nanos >= from.toNanos() && nanos < until.toNanos();
        }
    }

    /**
     * A named policy.
     *
     * @param name its name
     * @param settings the policy and its budget
     * @param envoy the budget instead of that of the settings; null for none
     * @param routes policies of individual routes, by the route's name; all share one budget
     */
    public record NamedPolicy(
            String name,
            RetrySettings settings,
            EnvoyBudget.@Nullable Settings envoy,
            Map<String, RetryPolicy> routes) {

        public NamedPolicy {
            routes = Map.copyOf(routes);
        }

        /** A budget of this policy, for one caller. */
        RetryBudget budget(Time time) {
            return envoy == null ? RetryBudget.of(settings.budget(), time::nanoTime) : new EnvoyBudget(envoy);
        }

        /** Whether the budget is configured, so that it governs retries at later ticks too. */
        boolean isConstrained() {
            return envoy != null || settings.constraint().isPresent();
        }

        /** The policy of a route. */
        RetryPolicy on(String route) {
            return routes.getOrDefault(route, settings.policy());
        }
    }

    /** The names of all routes, {@link #DEFAULT_ROUTE} last; empty if requests are not distinguished. */
    List<String> routeNames() {
        List<String> names = new ArrayList<>();
        workload.routes().forEach(route -> names.add(route.name()));
        if (!names.isEmpty()) {
            names.add(DEFAULT_ROUTE);
        }
        return names;
    }

    /**
     * The success probability at a time.
     *
     * @param route the index of the route
     */
    double success(int route, long nanos) {
        double ofRoute =
                route < workload.routes().size() ? workload.routes().get(route).success() : -1;
        double success = ofRoute < 0 ? backend.success() : ofRoute;
        for (Phase phase : phases) {
            if (phase.success() >= 0 && phase.holds(nanos)) {
                success = phase.success();
            }
        }
        return success;
    }

    /** The latency factor of attempts that start at a time. */
    double latencyFactor(long nanos) {
        double factor = 1;
        for (Phase phase : phases) {
            if (phase.holds(nanos)) {
                factor *= phase.latencyFactor();
            }
        }
        return factor;
    }

    /** Requests per second at a time. */
    double rps(long nanos) {
        double rps = workload.rps();
        for (Phase phase : phases) {
            if (phase.holds(nanos)) {
                rps *= phase.rpsFactor();
            }
        }
        return rps;
    }

    /** The expected number of requests, summed over phases. */
    double requests() {
        SortedSet<Long> changes = new TreeSet<>(List.of(0L, duration.toNanos()));
        for (Phase phase : phases) {
            changes.add(Math.min(phase.from().toNanos(), duration.toNanos()));
            changes.add(Math.min(phase.until().toNanos(), duration.toNanos()));
        }
        double requests = 0;
        long before = 0;
        for (long change : changes) {
            requests += rps(before) * (change - before) / 1e9;
            before = change;
        }
        return requests;
    }
}
