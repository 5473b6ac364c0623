package dev.poolkeeper.lab.retries;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.policies.GepDuration;
import dev.poolkeeper.input.policies.PolicyStanzas;
import dev.poolkeeper.input.policies.StanzaFields;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses a scenario; reports faults. */
final class ScenarioReader {

    private static final List<String> FILE = List.of(
            "description", "seed", "seeds", "duration", "services", "workload", "backend", "phases", "policies");
    private static final int MOST_SEEDS = 1_000;
    private static final int MOST_SERVICES = 6;
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final double MOST_REQUESTS = 20e6;
    private static final double MOST_RPS = 1e6;
    private static final int MOST_POLICIES = 12;
    private static final int MOST_ROUTES = 20;
    private static final int MOST = 1_000_000;

    private ScenarioReader() {}

    static Scenario read(JsonObject file, String name) {
        file.allowOnly(FILE);
        Duration duration = required(file, "duration", Duration.ofMillis(1), LONGEST);
        Scenario.Workload workload = workload(file.object("workload"));
        Scenario.Backend backend = backend(file.object("backend"));
        List<Scenario.Phase> phases = file.objects("phases").stream()
                .map(phase -> phase(phase, duration))
                .toList();
        Scenario scenario = new Scenario(
                name,
                requireNonNullElse(file.optionalString("description"), ""),
                file.wholeNumber("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(1),
                (int) file.wholeNumber("seeds", 0, MOST_SEEDS).orElse(0),
                duration,
                (int) file.wholeNumber("services", 1, MOST_SERVICES).orElse(1),
                workload,
                backend,
                phases,
                policies(file, workload.routes()));
        double most = scenario.requests() * (1 + scenario.seeds());
        if (most > MOST_REQUESTS) {
            file.fault("workload.rps", "results in " + Math.round(most) + " requests, must be at most 20 million");
        }
        return scenario;
    }

    private static Scenario.Workload workload(JsonObject workload) {
        workload.allowOnly(List.of("rps", "tick", "maxRetries", "routes"));
        return new Scenario.Workload(
                number(workload, "rps", Double.NaN, 1e-6, MOST_RPS),
                optional(workload, "tick", Duration.ZERO, Duration.ZERO, LONGEST),
                (int) workload.wholeNumber("maxRetries", 0, MOST).orElse(3),
                routes(workload));
    }

    private static List<Scenario.Route> routes(JsonObject workload) {
        List<Scenario.Route> routes = new ArrayList<>();
        Set<String> names = new HashSet<>(Set.of(Scenario.DEFAULT_ROUTE));
        double shares = 0;
        for (JsonObject route : workload.objects("routes")) {
            route.allowOnly(List.of("name", "share", "success"));
            String name = route.requiredString("name");
            if (!names.add(name)) {
                route.fault("name", "found \"" + name + "\", must be different for each route, and not [DEFAULT]");
            }
            double share = number(route, "share", Double.NaN, 0, 1);
            double success = route.has("success") ? number(route, "success", 0, 0, 1) : -1;
            routes.add(new Scenario.Route(name, share, success));
            shares += share;
        }
        if (shares > 1 + 1e-9) {
            workload.fault("routes", "found shares of " + shares + " together, must be at most 1");
        }
        if (routes.size() > MOST_ROUTES) {
            workload.fault("routes", "found " + routes.size() + ", must be at most " + MOST_ROUTES);
        }
        return routes;
    }

    private static Scenario.Backend backend(JsonObject backend) {
        backend.allowOnly(List.of("success", "status", "latency", "workers", "queue", "burst", "refill"));
        JsonObject latency = backend.object("latency");
        latency.allowOnly(List.of("p50", "p99"));
        Duration p50 = required(latency, "p50", Duration.ofMillis(1), LONGEST);
        Duration p99 = required(latency, "p99", Duration.ofMillis(1), LONGEST);
        if (p99.compareTo(p50) < 0) {
            latency.fault("p99", "found " + GepDuration.format(p99) + ", must be p50 or longer");
        }
        OptionalInt burst = whole(backend, "burst", 1);
        return new Scenario.Backend(
                number(backend, "success", 1, 0, 1),
                (int) backend.wholeNumber("status", 400, 599).orElse(503),
                p50,
                p99,
                whole(backend, "workers", 1),
                whole(backend, "queue", 0).orElse(MOST),
                burst,
                number(backend, "refill", burst.isPresent() ? Double.NaN : 0, 0, MOST_RPS));
    }

    private static Scenario.Phase phase(JsonObject phase, Duration duration) {
        phase.allowOnly(List.of("from", "until", "success", "latencyFactor", "rpsFactor"));
        Duration from = optional(phase, "from", Duration.ZERO, Duration.ZERO, LONGEST);
        Duration until = optional(phase, "until", duration, Duration.ZERO, LONGEST);
        if (until.compareTo(from) <= 0) {
            phase.fault("until", "found " + GepDuration.format(until) + ", must be after from");
        }
        return new Scenario.Phase(
                from,
                until,
                phase.has("success") ? number(phase, "success", 0, 0, 1) : -1,
                number(phase, "latencyFactor", 1, 0.001, 1_000),
                number(phase, "rpsFactor", 1, 0, 1_000));
    }

    private static List<Scenario.NamedPolicy> policies(JsonObject file, List<Scenario.Route> routes) {
        List<Scenario.NamedPolicy> policies = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonObject policy : file.objects("policies")) {
            policy.allowOnly(List.of(
                    "name", "retry", "timeouts", "routes", "retryConstraint", "retryBudget", "envoy", "budget"));
            String name = policy.requiredString("name");
            if (!names.add(name)) {
                policy.fault("name", "found \"" + name + "\" twice, must be unique");
            }
            policies.add(new Scenario.NamedPolicy(
                    name,
                    new RetrySettings(
                            PolicyStanzas.ofConfiguration(policy, RetryPolicy.DEFAULT_ATTEMPTS),
                            Optional.ofNullable(budget(policy))),
                    envoy(policy),
                    ofRoutes(policy, routes)));
        }
        if (policies.isEmpty() || policies.size() > MOST_POLICIES) {
            file.fault("policies", "found " + policies.size() + ", must be 1 to " + MOST_POLICIES);
        }
        return policies;
    }

    private static Map<String, RetryPolicy> ofRoutes(JsonObject policy, List<Scenario.Route> routes) {
        List<String> names = routes.stream().map(Scenario.Route::name).toList();
        Map<String, RetryPolicy> policies = new HashMap<>();
        for (JsonObject route : policy.objects("routes")) {
            route.allowOnly(List.of("name", "retry", "timeouts"));
            String name = route.requiredString("name");
            RetryPolicy own = PolicyStanzas.ofConfiguration(route, RetryPolicy.DEFAULT_ATTEMPTS);
            if (!names.contains(name)) {
                route.fault("name", "found \"" + name + "\", must be the name of a route of the workload");
            } else if (policies.put(name, own) != null) {
                route.fault("name", "found \"" + name + "\" twice, must be unique");
            }
        }
        return policies;
    }

    private static @Nullable BudgetSettings budget(JsonObject policy) {
        List<String> kinds = List.of("retryConstraint", "retryBudget", "envoy", "budget");
        List<String> set = kinds.stream().filter(policy::has).toList();
        if (set.size() > 1) {
            policy.fault(set.get(1), "is a second budget; only one is allowed of " + String.join(", ", kinds));
        }
        if (policy.has("envoy")) {
            return null;
        }
        if (policy.has("budget")) {
            String kind = policy.requiredString("budget");
            return switch (kind) {
                case "none" -> new BudgetSettings.None();
                case "endless" -> new BudgetSettings.Endless();
                default -> {
                    policy.fault("budget", "found \"" + kind + "\", must be one of none, endless");
                    yield BudgetSettings.DEFAULT;
                }
            };
        }
        BudgetSettings linkerd = PolicyStanzas.ofLinkerd(policy);
        return linkerd == null ? PolicyStanzas.ofConstraint(policy) : linkerd;
    }

    private static EnvoyBudget.@Nullable Settings envoy(JsonObject policy) {
        if (!policy.has("envoy")) {
            return null;
        }
        JsonObject envoy = policy.object("envoy");
        envoy.allowOnly(List.of("budget_percent", "min_retry_concurrency"));
        EnvoyBudget.Settings usual = EnvoyBudget.Settings.DEFAULT;
        double percent = envoy.number("budget_percent").orElse(usual.budgetPercent());
        int least = StanzaFields.number(envoy, "min_retry_concurrency").orElse(usual.minRetryConcurrency());
        if (!(percent >= 0 && percent <= 100)) { // written so that NaN fails too
            envoy.fault("budget_percent", "found " + percent + ", must be from 0 to 100");
        }
        if (least < 0) {
            envoy.fault("min_retry_concurrency", "found " + least + ", must be 0 or more");
        }
        return new EnvoyBudget.Settings(percent, least);
    }

    private static Duration required(JsonObject object, String field, Duration least, Duration most) {
        if (!object.has(field)) {
            object.fault(field, "is missing, must be a duration such as 10s");
        }
        return optional(object, field, most, least, most);
    }

    private static Duration optional(
            JsonObject object, String field, Duration fallback, Duration least, Duration most) {
        Duration value = requireNonNullElse(StanzaFields.duration(object, field), fallback);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            object.fault(
                    field,
                    "found " + GepDuration.format(value) + ", must be from " + GepDuration.format(least) + " to "
                            + GepDuration.format(most));
            return fallback;
        }
        return value;
    }

    /** @param fallback used if the field is absent; NaN if the field is required */
    private static double number(JsonObject object, String field, double fallback, double least, double most) {
        JsonNode found = object.node().path(field);
        double value = object.number(field).orElse(fallback);
        if (!(value >= least && value <= most)) { // written so that NaN fails too
            object.fault(
                    field,
                    (found.isMissingNode() || found.isNull() ? "is missing" : "found " + found)
                            + ", must be a number from " + text(least) + " to " + text(most));
            return least;
        }
        return value;
    }

    private static String text(double bound) {
        return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
    }

    private static OptionalInt whole(JsonObject object, String field, int least) {
        OptionalLong value = object.wholeNumber(field, least, MOST);
        return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
    }
}
