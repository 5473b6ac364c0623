package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The retry settings for calls to ARM from manifests, in files or in the cluster.
 *
 * <p>If several manifests set the same field, the oldest one applies, then the first by {@code namespace/name} (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-713/">GEP-713</a>); the others are reported as conflicting.
 *
 * @param routes policies of some calls, in order of precedence
 * @param policy the policy of calls that match no route; null if no manifest sets it
 * @param policyFrom the manifest that sets the policy; empty if none
 * @param budget the budget; null if no manifest sets it
 * @param budgetFrom the manifest that sets the budget; empty if none
 * @param notes one line for each skipped manifest, ignored field or conflict
 * @param verdicts the verdict on each manifest for calls to ARM
 */
public record ArmPolicies(
        List<RetryRoute> routes,
        @Nullable RetryPolicy policy,
        String policyFrom,
        @Nullable BudgetSettings budget,
        String budgetFrom,
        List<String> notes,
        Map<ManifestHead, Verdict> verdicts) {

    /** The name of the Service or ServiceImport that stands for ARM in manifests. */
    public static final String SERVICE = "azure-resource-manager";

    /** No manifests. */
    public static final ArmPolicies NONE = of(PolicyManifests.NONE);

    static final TargetFilter FILTER = TargetFilter.of(SERVICE);

    /** Calls that match no route are not retried. */
    private static final RetryPolicy UNMARKED = new RetryPolicy(
            Set.of(), 0, RetryPolicy.DEFAULT_BACKOFF, RetryPolicy.OFF.request(), RetryPolicy.DEFAULT_BACKEND_REQUEST);

    public ArmPolicies {
        routes = List.copyOf(routes);
        notes = List.copyOf(notes);
        verdicts = Map.copyOf(verdicts);
    }

    /**
     * The verdict on a manifest.
     *
     * @param conflicts the settings that do not apply because an older manifest sets them
     * @param ignored the settings that have no effect on calls to ARM, and why
     */
    public record Verdict(List<String> conflicts, List<String> ignored) {

        public Verdict {
            conflicts = List.copyOf(conflicts);
            ignored = List.copyOf(ignored);
        }
    }

    /** @param routes in order of precedence */
    private record Policies(ManifestHead head, List<RetryRoute> routes, RetryPolicy otherwise) {}

    private record Budget(ManifestHead head, BudgetSettings settings) {}

    /** Combines the settings of these manifests, which must all be for calls to ARM. */
    public static ArmPolicies of(PolicyManifests manifests) {
        Map<ManifestHead, List<String>> ignored = new LinkedHashMap<>();
        manifests.routes().forEach(route -> ignored.put(route.head(), ignoredOf(route)));
        manifests.traffic().forEach(policy -> ignored.put(policy.head(), List.of()));
        manifests.profiles().forEach(profile -> ignored.put(profile.head(), List.of()));
        List<Policies> policies = policies(manifests);
        List<Budget> budgets = budgets(manifests);
        Map<ManifestHead, List<String>> conflicts = new LinkedHashMap<>();
        addConflicts(policies.stream().map(Policies::head).toList(), "retries are set by ", conflicts);
        addConflicts(budgets.stream().map(Budget::head).toList(), "the retry budget is set by ", conflicts);
        Policies held = policies.isEmpty() ? null : simplified(policies.get(0));
        Budget budget = budgets.isEmpty() ? null : budgets.get(0);
        return new ArmPolicies(
                held == null ? List.of() : held.routes(),
                held == null ? null : held.otherwise(),
                held == null ? "" : held.head().toString(),
                budget == null ? null : budget.settings(),
                budget == null ? "" : budget.head().toString(),
                notes(manifests, ignored, conflicts),
                verdicts(ignored, conflicts));
    }

    private static List<Policies> policies(PolicyManifests manifests) {
        return Stream.concat(
                        manifests.routes().stream().map(ArmPolicies::ofRoute),
                        manifests.profiles().stream().map(ArmPolicies::ofProfile))
                .sorted(Comparator.comparing(Policies::head, ManifestHead.PRECEDENCE))
                .toList();
    }

    private static List<Budget> budgets(PolicyManifests manifests) {
        return Stream.concat(
                        manifests.traffic().stream()
                                .filter(each -> each.budget() != null)
                                .map(each -> new Budget(each.head(), Objects.requireNonNull(each.budget()))),
                        manifests.profiles().stream().map(each -> new Budget(each.head(), each.budget())))
                .sorted(Comparator.comparing(Budget::head, ManifestHead.PRECEDENCE))
                .toList();
    }

    private static void addConflicts(List<ManifestHead> heads, String what, Map<ManifestHead, List<String>> conflicts) {
        heads.stream()
                .skip(1)
                .forEach(head -> conflicts
                        .computeIfAbsent(head, key -> new ArrayList<>())
                        .add(what + heads.get(0) + ", which is older or comes first by name"));
    }

    private static List<String> notes(
            PolicyManifests manifests,
            Map<ManifestHead, List<String>> ignored,
            Map<ManifestHead, List<String>> conflicts) {
        List<String> notes = new ArrayList<>(manifests.notes());
        ignored.forEach((head, texts) -> texts.forEach(text -> notes.add(head + ": " + text)));
        conflicts.forEach((head, texts) -> texts.forEach(text -> notes.add(head + ": conflicts, " + text)));
        return notes;
    }

    private static Map<ManifestHead, Verdict> verdicts(
            Map<ManifestHead, List<String>> ignored, Map<ManifestHead, List<String>> conflicts) {
        return ignored.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        each -> new Verdict(conflicts.getOrDefault(each.getKey(), List.of()), each.getValue()),
                        (one, same) -> one));
    }

    /** The rules whose backend is ARM; all rules if the route is attached to ARM's Service itself. */
    private static List<RouteManifest.Rule> ownRules(RouteManifest route) {
        boolean isAttached = route.parents().stream().anyMatch(FILTER::isOurs);
        return route.rules().stream()
                .filter(rule -> isAttached || rule.backends().stream().anyMatch(FILTER::isOurs))
                .toList();
    }

    private static Policies ofRoute(RouteManifest route) {
        record Ranked(RouteMatch match, RetryPolicy policy) {}
        List<RetryRoute> routes = ownRules(route).stream()
                .flatMap(rule -> rule.matches().stream()
                        .map(match -> new Ranked(match, rule.policy().withoutElsewhere())))
                .sorted(Comparator.comparing(Ranked::match, RouteMatch.PRECEDENCE))
                .map(each -> new RetryRoute(each.match().condition(), each.policy()))
                .toList();
        return new Policies(route.head(), routes, UNMARKED);
    }

    private static List<String> ignoredOf(RouteManifest route) {
        List<String> ignored = new ArrayList<>();
        for (RouteManifest.Rule rule : ownRules(route)) {
            String codes = rule.policy().codes().stream()
                    .filter(RetryPolicy.ELSEWHERE::contains)
                    .map(String::valueOf)
                    .collect(Collectors.joining(", "));
            if (!codes.isEmpty()) {
                ignored.add("retry.codes " + codes + " ignored, the updater retries these after a fresh read or after"
                        + " Retry-After");
            }
            if (!rule.filters().isEmpty()) {
                ignored.add("filters " + String.join(", ", rule.filters()) + " ignored, calls to ARM are not filtered");
            }
        }
        return ignored.stream().distinct().toList();
    }

    private static Policies ofProfile(ProfileManifest profile) {
        return new Policies(
                profile.head(),
                profile.routes().stream()
                        .map(route ->
                                new RetryRoute(route.condition(), route.policy().withoutElsewhere()))
                        .toList(),
                profile.otherwise());
    }

    /** A route for all requests ends the list and becomes the default. */
    private static Policies simplified(Policies policies) {
        for (int i = 0; i < policies.routes().size(); i++) {
            RetryRoute route = policies.routes().get(i);
            if (route.condition().equals(RequestCondition.ALWAYS)) {
                return new Policies(policies.head(), policies.routes().subList(0, i), route.policy());
            }
        }
        return policies;
    }
}
