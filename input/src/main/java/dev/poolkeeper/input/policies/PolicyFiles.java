package dev.poolkeeper.input.policies;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RequestCondition;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetryRoute;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What manifest files set about retries of calls to ARM.
 *
 * <p>Where several manifests set the same, the oldest holds, then the first by {@code namespace/name} (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-713/">GEP-713</a>); the others are noted as conflicting.
 *
 * @param routes which calls are retried when, by precedence
 * @param policy when a call that is no route's is retried, or null where no manifest says
 * @param policyFrom which manifest says so, or empty
 * @param budget the budget, or null where no manifest says
 * @param budgetFrom which manifest says so, or empty
 * @param notes what was passed over, is ignored or conflicts, a line each
 */
public record PolicyFiles(
        List<RetryRoute> routes,
        @Nullable RetryPolicy policy,
        String policyFrom,
        @Nullable BudgetSettings budget,
        String budgetFrom,
        List<String> notes) {

    /** The name of the Service or ServiceImport that stands for ARM in manifests. */
    public static final String ARM = "azure-resource-manager";

    /** No files. */
    public static final PolicyFiles NONE = new PolicyFiles(List.of(), null, "", null, "", List.of());

    /** What is no route's is not retried. */
    private static final RetryPolicy UNMARKED = new RetryPolicy(
            Set.of(), 0, RetryPolicy.DEFAULT_BACKOFF, RetryPolicy.OFF.request(), RetryPolicy.DEFAULT_BACKEND_REQUEST);

    private static final TargetFilter FILTER = TargetFilter.of(ARM);

    public PolicyFiles {
        routes = List.copyOf(routes);
        notes = List.copyOf(notes);
    }

    /** @param routes by precedence */
    private record Policies(ManifestHead head, List<RetryRoute> routes, RetryPolicy otherwise) {}

    private record Budget(ManifestHead head, BudgetSettings settings) {}

    /** @throws BadInputException with every fault of the files */
    public static PolicyFiles read(List<Path> files) throws BadInputException {
        PolicyManifests manifests = PolicyManifests.read(files, new ManifestCollector(FILTER, PolicyDefaults.ARM));
        List<String> notes = new ArrayList<>(manifests.notes());
        List<Policies> policies = Stream.concat(
                        manifests.routes().stream().map(route -> ofRoute(route, notes)),
                        manifests.profiles().stream().map(PolicyFiles::ofProfile))
                .sorted(Comparator.comparing(Policies::head, ManifestHead.PRECEDENCE))
                .toList();
        List<Budget> budgets = Stream.concat(
                        manifests.traffic().stream()
                                .filter(each -> each.budget() != null)
                                .map(each -> new Budget(each.head(), Objects.requireNonNull(each.budget()))),
                        manifests.profiles().stream().map(each -> new Budget(each.head(), each.budget())))
                .sorted(Comparator.comparing(Budget::head, ManifestHead.PRECEDENCE))
                .toList();
        noteConflicts(policies.stream().map(Policies::head).toList(), "retries", notes);
        noteConflicts(budgets.stream().map(Budget::head).toList(), "the retry budget", notes);
        Policies held = policies.isEmpty() ? null : simplified(policies.get(0));
        Budget budget = budgets.isEmpty() ? null : budgets.get(0);
        return new PolicyFiles(
                held == null ? List.of() : held.routes(),
                held == null ? null : held.otherwise(),
                held == null ? "" : held.head().toString(),
                budget == null ? null : budget.settings(),
                budget == null ? "" : budget.head().toString(),
                notes);
    }

    private static void noteConflicts(List<ManifestHead> heads, String what, List<String> notes) {
        heads.stream()
                .skip(1)
                .forEach(head -> notes.add(head + ": conflicts, " + what + " are set by " + heads.get(0)
                        + ", which is older or comes first by name"));
    }

    /** The rules whose backend is ARM; all of them, where the route is attached to ARM's Service itself. */
    private static Policies ofRoute(RouteManifest route, List<String> notes) {
        record Ranked(RouteMatch match, RetryPolicy policy) {}
        boolean isAttached = route.parents().stream().anyMatch(FILTER::isOurs);
        List<Ranked> ranked = new ArrayList<>();
        for (RouteManifest.Rule rule : route.rules()) {
            if (isAttached || rule.backends().stream().anyMatch(FILTER::isOurs)) {
                noteIgnored(route.head(), rule, notes);
                rule.matches()
                        .forEach(match ->
                                ranked.add(new Ranked(match, rule.policy().withoutElsewhere())));
            }
        }
        ranked.sort(Comparator.comparing(Ranked::match, RouteMatch.PRECEDENCE));
        return new Policies(
                route.head(),
                ranked.stream()
                        .map(each -> new RetryRoute(each.match().condition(), each.policy()))
                        .toList(),
                UNMARKED);
    }

    private static void noteIgnored(ManifestHead head, RouteManifest.Rule rule, List<String> notes) {
        String codes = rule.policy().codes().stream()
                .filter(RetryPolicy.ELSEWHERE::contains)
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        if (!codes.isEmpty()) {
            notes.add(head + ": retry.codes " + codes + " ignored, the updater retries these after a fresh read, or"
                    + " when Retry-After is over");
        }
        if (!rule.filters().isEmpty()) {
            notes.add(
                    head + ": filters " + String.join(", ", rule.filters()) + " ignored, calls to ARM go as they are");
        }
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

    /** A route for all requests ends the list: it is what holds otherwise. */
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
