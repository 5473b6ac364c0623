package dev.poolkeeper.lab.retries;

import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A workload, a backend, and the policies to compare on them.
 *
 * @param name how it is called
 * @param description what it shows, in a sentence or two
 * @param seed the seed where none is given
 * @param seeds how many further runs show how far results spread from seed to seed; 0 for none
 * @param duration for how long requests come in
 * @param services how many services a request passes, the backend being the last; each before it calls the next one
 *     under the same policy and a budget of its own
 * @param workload how they come in
 * @param backend what answers them
 * @param phases when it is different; where several hold, all do
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
     * How requests come in: at random, independent of each other.
     *
     * @param rps requests a second, on average
     * @param tick where set, requests wait for the next tick, as the updater's do; zero for at once
     * @param maxRetries how often the updater tries a request again at later ticks
     * @param routes that requests take; none where they are not told apart
     */
    public record Workload(double rps, Duration tick, int maxRetries, List<Route> routes) {

        public Workload {
            routes = List.copyOf(routes);
        }
    }

    /**
     * A route that a share of the requests takes. Those that take none are on {@link #DEFAULT_ROUTE}.
     *
     * @param name how it is called
     * @param share of the requests, 0 to 1
     * @param success the probability that an attempt succeeds, instead of the backend's; negative for no difference
     */
    public record Route(String name, double share, double success) {}

    /** Where requests are that take no route, by the name that Linkerd's tables have for it. */
    static final String DEFAULT_ROUTE = "[DEFAULT]";

    /**
     * What answers.
     *
     * @param success the probability that an attempt succeeds, 0 to 1
     * @param status what it answers when it does not
     * @param p50 the median of the time that an attempt takes, lognormal
     * @param p99 the 99th percentile of it
     * @param workers how many attempts it works on at the same time; empty for any number. It does not hear when a
     *     client gives up
     * @param queue how many wait for a worker before it answers 503
     * @param burst the tokens of its bucket, of which each attempt takes one; empty for no bucket. Without a token it
     *     answers 429
     * @param refill tokens a second
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
     * A stretch of time in which something is different.
     *
     * @param from its begin
     * @param until its end
     * @param success instead of the backend's; negative for no difference
     * @param latencyFactor on the time that attempts take
     * @param rpsFactor on the requests a second
     */
    public record Phase(Duration from, Duration until, double success, double latencyFactor, double rpsFactor) {

        boolean holds(long nanos) {
            return nanos >= from.toNanos() && nanos < until.toNanos();
        }
    }

    /**
     * A policy with its name.
     *
     * @param name how it is called
     * @param settings the policy and its budget
     * @param routes policies of routes that have one of their own, by the route's name; all are under the one budget
     */
    public record NamedPolicy(String name, RetrySettings settings, Map<String, RetryPolicy> routes) {

        public NamedPolicy {
            routes = Map.copyOf(routes);
        }

        /** The one that holds for a route. */
        RetryPolicy on(String route) {
            return routes.getOrDefault(route, settings.policy());
        }
    }

    /** The names of all routes, {@link #DEFAULT_ROUTE} last; none where requests are not told apart. */
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

    /** By how much attempts that begin at a time take longer. */
    double latencyFactor(long nanos) {
        double factor = 1;
        for (Phase phase : phases) {
            if (phase.holds(nanos)) {
                factor *= phase.latencyFactor();
            }
        }
        return factor;
    }

    /** Requests a second at a time. */
    double rps(long nanos) {
        double rps = workload.rps();
        for (Phase phase : phases) {
            if (phase.holds(nanos)) {
                rps *= phase.rpsFactor();
            }
        }
        return rps;
    }

    /** How many requests there are in all, phase by phase. */
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
