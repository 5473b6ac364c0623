package dev.poolkeeper.input.policies;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.policies.RequestCondition.Part;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * Reads a ServiceProfile. Linkerd retries failures of retryable routes immediately, as often as the budget allows,
 * within the route's timeout. A failure is a 5xx, unless the route's {@code responseClasses} define it otherwise.
 * Invalid values become faults.
 */
record ProfileReader(PolicyDefaults defaults) {

    static final List<String> VERSIONS = List.of("linkerd.io/v1alpha2", "linkerd.io/v1alpha1");

    private static final List<String> SPEC = List.of("routes", "retryBudget", "opaquePorts", "dstOverrides");
    private static final List<String> ROUTE = List.of("name", "condition", "isRetryable", "timeout", "responseClasses");
    private static final List<String> CONDITION = List.of("method", "pathRegex", "all", "any", "not");
    private static final List<String> NESTED = List.of("all", "any", "not");
    private static final List<String> CLASS = List.of("condition", "isFailure");
    private static final List<String> ANSWER = List.of("status", "all", "any", "not");
    private static final List<String> STATUS = List.of("min", "max");
    private static final int DEEPEST = 100;
    private static final int LEAST_ERROR = 400;
    private static final int LEAST_SERVER_ERROR = 500;
    private static final int MOST_STATUS = 599;

    /** Whether responses with some statuses count as failures. */
    private record AnswerClass(IntPredicate statuses, boolean isFailure) {}

    ProfileManifest read(ManifestHead head, JsonObject object) {
        JsonObject spec = object.object("spec");
        spec.allowOnly(SPEC);
        Expressions expressions = new Expressions();
        return new ProfileManifest(
                head,
                requireNonNullElse(PolicyStanzas.ofLinkerd(spec), Linkerd.DEFAULT),
                spec.objects("routes").stream()
                        .map(route -> route(route, expressions))
                        .toList(),
                policy(Set.of(), false, defaults.profileRequest()));
    }

    private ProfileManifest.Route route(JsonObject route, Expressions expressions) {
        route.allowOnly(ROUTE);
        String name = route.requiredString("name");
        if (!route.has("condition")) {
            route.fault("condition", "is missing, must be an object with method or pathRegex");
        }
        boolean isRetryable = route.truth("isRetryable");
        Set<Integer> failures = failures(route);
        return new ProfileManifest.Route(
                name,
                condition(route.object("condition"), expressions, 0),
                policy(failures, isRetryable, timeout(route)));
    }

    private Duration timeout(JsonObject route) {
        Duration timeout = StanzaFields.goDuration(route, "timeout");
        if (timeout == null) {
            return defaults.profileRequest();
        }
        if (!timeout.truncatedTo(ChronoUnit.MILLIS).equals(timeout)) {
            route.fault("timeout", "found " + route.node().get("timeout") + ", must be in whole milliseconds");
            return defaults.profileRequest();
        }
        return timeout;
    }

    private RetryPolicy policy(Set<Integer> failures, boolean isRetryable, Duration request) {
        Duration attempt = request.isZero() ? defaults.profileAttempt() : request;
        return new RetryPolicy(
                isRetryable ? failures : Set.of(),
                isRetryable ? RetryPolicy.UNLIMITED : 0,
                Duration.ZERO,
                request,
                attempt);
    }

    /** All fields of a condition must match. */
    private static RequestCondition condition(JsonObject condition, Expressions expressions, int depth) {
        condition.allowOnly(CONDITION);
        if (isTooDeep(condition, depth)) {
            return RequestCondition.ALWAYS;
        }
        List<RequestCondition> parts = new ArrayList<>();
        String method = condition.optionalString("method");
        if (method != null) {
            parts.add(new RequestCondition.Is(Part.METHOD, "", method));
        }
        String regex = condition.optionalString("pathRegex");
        RegularExpression pattern = regex == null ? null : expressions.read(condition, "pathRegex", regex);
        if (pattern != null) {
            parts.add(new RequestCondition.Matches(Part.PATH, "", pattern));
        }
        Function<JsonObject, RequestCondition> inner = part -> condition(part, expressions, depth + 1);
        if (condition.has("all")) {
            parts.add(new RequestCondition.All(each(condition, "all", inner)));
        }
        if (condition.has("any")) {
            parts.add(new RequestCondition.Any(each(condition, "any", inner)));
        }
        if (condition.has("not")) {
            parts.add(new RequestCondition.Not(inner.apply(condition.object("not"))));
        }
        return new RequestCondition.All(parts);
    }

    /** Every level takes stack whenever a request is matched. */
    private static boolean isTooDeep(JsonObject condition, int depth) {
        List<String> nested = NESTED.stream().filter(condition::has).toList();
        if (depth < DEEPEST || nested.isEmpty()) {
            return false;
        }
        condition.fault(nested.get(0), "conditions are nested more than " + DEEPEST + " deep, must be nested less");
        return true;
    }

    private static <T> List<T> each(JsonObject holder, String field, Function<JsonObject, T> reader) {
        return holder.objects(field).stream().map(reader).toList();
    }

    /** The first matching class decides. */
    private static Set<Integer> failures(JsonObject route) {
        List<AnswerClass> classes = each(route, "responseClasses", ProfileReader::answerClass);
        Set<Integer> failures = new TreeSet<>();
        for (int status = LEAST_ERROR; status <= MOST_STATUS; status++) {
            boolean isFailure = status >= LEAST_SERVER_ERROR;
            for (AnswerClass each : classes) {
                if (each.statuses().test(status)) {
                    isFailure = each.isFailure();
                    break;
                }
            }
            if (isFailure) {
                failures.add(status);
            }
        }
        return failures;
    }

    private static AnswerClass answerClass(JsonObject answerClass) {
        answerClass.allowOnly(CLASS);
        return new AnswerClass(answer(answerClass.object("condition"), 0), answerClass.truth("isFailure"));
    }

    private static IntPredicate answer(JsonObject condition, int depth) {
        condition.allowOnly(ANSWER);
        if (isTooDeep(condition, depth)) {
            return status -> true;
        }
        Function<JsonObject, IntPredicate> inner = part -> answer(part, depth + 1);
        IntPredicate holds = status -> true;
        if (condition.has("status")) {
            JsonObject range = condition.object("status");
            range.allowOnly(STATUS);
            long min = range.wholeNumber("min", 100, MOST_STATUS).orElse(100);
            long max = range.wholeNumber("max", 100, MOST_STATUS).orElse(MOST_STATUS);
            holds = holds.and(status -> status >= min && status <= max);
        }
        List<IntPredicate> all = each(condition, "all", inner);
        holds = holds.and(status -> all.stream().allMatch(part -> part.test(status)));
        if (condition.has("any")) {
            List<IntPredicate> parts = each(condition, "any", inner);
            holds = holds.and(status -> parts.stream().anyMatch(part -> part.test(status)));
        }
        if (condition.has("not")) {
            holds = holds.and(inner.apply(condition.object("not")).negate());
        }
        return holds;
    }
}
