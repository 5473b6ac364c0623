package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.policies.BackendRef;
import dev.poolkeeper.input.policies.ManifestHead;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.input.policies.PolicyWords;
import dev.poolkeeper.input.policies.ProfileManifest;
import dev.poolkeeper.input.policies.RouteManifest;
import dev.poolkeeper.input.policies.RouteMatch;
import dev.poolkeeper.input.policies.TrafficManifest;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RequestHead;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Selects the destination of requests: by HTTPRoutes, and if none matches, by ServiceProfiles. Immutable.
 *
 * <p>Among HTTPRoutes the most specific host name wins, then the most specific match, then the oldest route, then the
 * first by {@code namespace/name}, then its first rule.
 */
final class RoutingTable {

    private static final int MOST_HOSTS = 10;

    private final List<Entry> entries = new ArrayList<>();
    private final List<ProfileEntry> profiles = new ArrayList<>();
    private final List<Destination.Forward> forwards = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** One match of one rule under one host name. */
    private record Entry(HostPattern host, RouteMatch match, ManifestHead head, int rule, Destination destination) {

        static final Comparator<Entry> PRECEDENCE = Comparator.comparing(Entry::host, HostPattern.PRECEDENCE)
                .thenComparing(Entry::match, RouteMatch.PRECEDENCE)
                .thenComparing(Entry::head, ManifestHead.PRECEDENCE)
                .thenComparingInt(Entry::rule);
    }

    private record ProfileRoute(ProfileManifest.Route route, Destination destination) {}

    private record ProfileEntry(ProfileManifest profile, List<ProfileRoute> routes, Destination otherwise) {}

    private RoutingTable() {}

    static RoutingTable of(PolicyManifests manifests, List<BackendAddress> backends, Budgets budgets) {
        RoutingTable table = new RoutingTable();
        table.notes.addAll(manifests.notes());
        List<Governed> governed = backends.stream()
                .map(backend -> table.governed(backend, manifests.traffic(), budgets))
                .toList();
        for (RouteManifest route : manifests.routes()) {
            table.add(route, governed);
        }
        table.entries.sort(Entry.PRECEDENCE);
        for (ProfileManifest profile : manifests.profiles()) {
            table.add(profile, backends, budgets);
        }
        table.noteUntargeted(manifests.traffic(), backends);
        return table;
    }

    private void noteUntargeted(List<TrafficManifest> policies, List<BackendAddress> backends) {
        for (TrafficManifest policy : policies) {
            for (BackendRef target : policy.targets()) {
                if (backends.stream().noneMatch(backend -> backend.isOf(target.namespace(), target.name()))) {
                    notes.add(policy.head() + ": has no effect on " + target + " in the namespace " + target.namespace()
                            + ", there is no --backend for it");
                }
            }
        }
    }

    /** What was loaded, one line for each route, and a warning if it may repeat what is not idempotent. */
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        forwards.forEach(to -> lines.add("%s goes to %s at %s: %s; retry budget: %s"
                .formatted(
                        to.route(),
                        to.backend().service(),
                        to.backend().authority(),
                        PolicyWords.of(to.policy()),
                        PolicyWords.of(to.settings().budget()))));
        if (forwards.stream().anyMatch(to -> to.policy().isOn())) {
            lines.add("warning: requests of every method are retried, POST too, so a backend may do its work twice");
        }
        return lines;
    }

    private OwnAnswer noRule() {
        List<String> hosts = Stream.concat(
                        entries.stream().map(entry -> entry.host().toString()),
                        profiles.stream().map(entry -> entry.profile().head().name()))
                .distinct()
                .limit(MOST_HOSTS)
                .toList();
        return new OwnAnswer(
                OwnAnswer.NO_RULE.status(),
                OwnAnswer.NO_RULE.text()
                        + (hosts.isEmpty()
                                ? "; there is none"
                                : "; there are routes for the hosts " + String.join(", ", hosts)));
    }

    /** A backend with its budget, and whether a {@code retryConstraint} set it. */
    private record Governed(BackendAddress address, BudgetSettings budget, RetryModel model, boolean isConstrained) {}

    private Governed governed(BackendAddress backend, List<TrafficManifest> policies, Budgets budgets) {
        List<TrafficManifest> targeting = policies.stream()
                .filter(policy -> policy.targets().stream()
                        .anyMatch(target -> target.isBackend() && backend.isOf(target.namespace(), target.name())))
                .toList();
        targeting.stream()
                .skip(1)
                .forEach(policy -> notes.add(policy.head() + ": conflict, the budget of " + backend.service()
                        + " is set by " + targeting.get(0).head() + ", which is older or comes first by name"));
        Optional<BudgetSettings> budget =
                targeting.stream().findFirst().flatMap(policy -> Optional.ofNullable(policy.budget()));
        BudgetSettings settings = budget.orElseGet(BudgetSettings.Endless::new);
        RetryModel model = budgets.adjusted(backend.service(), settings);
        return new Governed(backend, settings, model, budget.isPresent());
    }

    private void add(RouteManifest route, List<Governed> backends) {
        List<HostPattern> hosts = route.hostnames().isEmpty()
                ? List.of(HostPattern.ANY)
                : route.hostnames().stream().map(HostPattern::of).toList();
        for (int i = 0; i < route.rules().size(); i++) {
            RouteManifest.Rule rule = route.rules().get(i);
            Destination destination = destination(route.head(), i, rule, backends);
            for (HostPattern host : hosts) {
                for (RouteMatch match : rule.matches()) {
                    entries.add(new Entry(host, match, route.head(), i, destination));
                }
            }
        }
    }

    private Destination destination(ManifestHead head, int index, RouteManifest.Rule rule, List<Governed> backends) {
        String name = head.path() + " rule " + index;
        if (!rule.filters().isEmpty()) {
            return refused(name, "it has the filter " + rule.filters().get(0));
        }
        Optional<BackendRef> ref =
                rule.backends().stream().filter(each -> each.weight() > 0).findFirst();
        if (ref.isEmpty()) {
            return refused(name, "no backendRef has a weight above 0");
        }
        Optional<Governed> found = ref.get().isBackend()
                ? find(
                        backends,
                        Governed::address,
                        ref.get().namespace(),
                        ref.get().name())
                : Optional.empty();
        if (found.isEmpty()) {
            return refused(name, "there is no --backend for " + ref.get());
        }
        Governed backend = found.get();
        return forward(name, backend, rule.policy());
    }

    private Destination forward(String name, Governed backend, RetryPolicy policy) {
        Destination.Forward forward = Destination.Forward.of(
                name,
                backend.address(),
                RetrySettings.of(policy, backend.budget()),
                backend.model(),
                backend.isConstrained());
        forwards.add(forward);
        return forward;
    }

    private Destination refused(String name, String why) {
        notes.add(name + " is answered with 500: " + why);
        return new Destination.Refuse(OwnAnswer.cannotObey(why));
    }

    private void add(ProfileManifest profile, List<BackendAddress> backends, Budgets budgets) {
        String[] labels = profile.head().name().split("\\.", 3);
        String namespace = labels.length > 1 ? labels[1] : profile.head().namespace();
        Optional<BackendAddress> backend = find(backends, Function.identity(), namespace, profile.service());
        String name = "profile " + profile.head().name();
        if (backend.isEmpty()) {
            Destination refused = refused(name, "there is no --backend for Service " + profile.service());
            profiles.add(new ProfileEntry(profile, List.of(), refused));
            return;
        }
        Governed governed =
                new Governed(backend.get(), profile.budget(), budgets.adjusted(name, profile.budget()), false);
        profiles.add(new ProfileEntry(
                profile,
                profile.routes().stream()
                        .map(route ->
                                new ProfileRoute(route, forward(name + " " + route.name(), governed, route.policy())))
                        .toList(),
                forward(name + " [DEFAULT]", governed, profile.otherwise())));
    }

    /** A backend with a namespace takes precedence over one for any namespace. */
    private static <B> Optional<B> find(
            List<B> backends, Function<B, BackendAddress> address, String namespace, String name) {
        return backends.stream()
                .filter(backend -> address.apply(backend).isOf(namespace, name))
                .min(Comparator.comparing(
                        backend -> address.apply(backend).namespace().isEmpty()));
    }

    /** All destinations. */
    List<Destination.Forward> forwards() {
        return List.copyOf(forwards);
    }

    /** Ignored, conflicting and unusable rules, one line each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** @param host the requested host name, in lower case and without a port */
    Destination find(String host, RequestHead request) {
        for (Entry entry : entries) {
            if (entry.host().matches(host) && entry.match().condition().test(request)) {
                return entry.destination();
            }
        }
        for (ProfileEntry entry : profiles) {
            if (isOf(entry.profile(), host)) {
                return entry.routes().stream()
                        .filter(each -> each.route().condition().test(request))
                        .findFirst()
                        .map(ProfileRoute::destination)
                        .orElse(entry.otherwise());
            }
        }
        return new Destination.Refuse(noRule());
    }

    /** Whether it is the Service's name, or a short form of it: its first labels. */
    private static boolean isOf(ProfileManifest profile, String host) {
        String name = profile.head().name();
        return name.equals(host) || name.startsWith(host + ".");
    }
}
