package dev.poolkeeper.lab.retries;

import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.List;
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
     */
    public record Workload(double rps, Duration tick, int maxRetries) {}

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
     */
    public record NamedPolicy(String name, RetrySettings settings) {}

    /** The success probability at a time. */
    double success(long nanos) {
        double success = backend.success();
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
