package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.kube.RecordedRequest;
import dev.poolkeeper.k8s.permissions.Permission;
import dev.poolkeeper.k8s.permissions.RequiredPermissions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A daemon's requests to the API server, compared with the same list as the shipped roles. */
class PermissionsTest {

    /** Every user may create it ({@code system:basic-user}); nothing is kept of it. */
    private static final String REVIEW = "selfsubjectaccessreviews";

    @TempDir
    private Path folder;

    private TestWorld world;

    @BeforeEach
    void start() throws IOException {
        world = new TestWorld(folder);
        world.kube.faults().refuseWatchLists(true); // so that lists are needed
        world.service("web", 1, 2);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    /** One of each kind that has a status. */
    private void policies() {
        world.kube.apply("""
            {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
             "metadata":{"name":"budget","namespace":"kube-system"},
             "spec":{"targetRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}]}}\
            """);
        world.kube.apply("""
            {"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute",
             "metadata":{"name":"calls","namespace":"kube-system"},
             "spec":{"parentRefs":[{"group":"","kind":"Service","name":"azure-resource-manager"}]}}\
            """);
    }

    private Set<String> used() {
        return world.kube.requests().stream()
                .filter(request -> !request.resource().equals(REVIEW))
                .map(PermissionsTest::used)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String used(RecordedRequest request) {
        boolean lease = request.resource().equals("leases");
        boolean policy = request.group().contains("gateway.networking")
                || request.group().equals("linkerd.io");
        return String.join(
                " ",
                request.verb(),
                request.resource() + (request.subresource().isEmpty() ? "" : "/" + request.subresource()),
                request.group(),
                lease || policy ? request.namespace() : "",
                lease ? request.name() : "");
    }

    private static Set<String> granted(List<Permission> permissions) {
        return permissions.stream()
                .map(one -> String.join(
                        " ",
                        one.verb(),
                        one.resource(),
                        one.group(),
                        one.namespace(),
                        one.verb().equals("create") ? "" : one.name()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @Rule(id = "C50", says = "A daemon asks the API server for exactly what its role grants.", source = "ours")
    void a_daemon_uses_exactly_the_permissions_it_is_granted() throws Exception {
        List<Permission> granted = new ArrayList<>(RequiredPermissions.watching());
        granted.addAll(RequiredPermissions.lease("kube-system", "poolkeeper-leader"));
        granted.addAll(RequiredPermissions.lease("kube-system", "aks-managed-resource-locker"));
        granted.addAll(RequiredPermissions.events());
        granted.addAll(RequiredPermissions.policies("kube-system"));
        granted.addAll(RequiredPermissions.policyStatuses("kube-system"));
        policies();

        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", ""))) {
            world.awaitPool("web", 1, 2);
            world.endpoints("web", 3);
            world.awaitPool("web", 3);
            world.endpoints("web", 1, 2);
            world.awaitPool("web", 1, 2);
            world.endpoints("web", 3); // the same Event again, which increments its count
            world.awaitPool("web", 3);
            Await.until(
                    "everything was used",
                    () -> used() + "\n" + daemon.logText(),
                    () -> used().size() >= granted(granted).size());
        }

        assertThat(used()).isEqualTo(granted(granted));
    }

    @Test
    @Rule(
            id = "C51",
            says = "A dry run compares and reports, and writes neither to Azure nor to the cluster; it needs only the"
                    + " verbs list and watch.",
            source = "ours")
    void a_dry_run_writes_nothing_anywhere() throws Exception {
        world.kube.faults().deny(request -> !List.of("list", "watch").contains(request.verb()));
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", "dryRun: true"))) {
            Await.until(
                    "it tells what it would write",
                    daemon::logText,
                    () -> daemon.hasLogged("Dry run: would write a pool"));
            daemon.awaitReady();
            world.endpoints("web", 4);
            Await.until(
                    "it tells what it would write",
                    daemon::logText,
                    () -> daemon.log().stream()
                            .anyMatch(
                                    line -> line.contains("Dry run: would write a pool") && line.contains("10.1.0.4")));
            assertThat(daemon.pages().status().at("/settings/dryRun").asBoolean())
                    .isTrue();
            assertThat(daemon.pages().metric("poolkeeper_dry_run")).isEqualTo(1);
        }

        List<Permission> reading = new ArrayList<>(RequiredPermissions.watching());
        reading.addAll(RequiredPermissions.policies("kube-system"));
        assertThat(used()).isEqualTo(granted(reading));
        assertThat(world.arm.requests())
                .filteredOn(request -> !request.path().endsWith("/token"))
                .extracting(AnsweredRequest::method)
                .containsOnly("GET");
        assertThat(world.addresses("web")).isEqualTo(TestWorld.addresses());
    }

    @SafeVarargs
    private static Arguments daemon(String keys, List<Permission>... needed) {
        return Arguments.of(keys, Stream.of(needed).flatMap(List::stream).toList());
    }

    static Stream<Arguments> daemons() {
        List<Permission> watching = RequiredPermissions.watching();
        List<Permission> events = RequiredPermissions.events();
        List<Permission> policies = RequiredPermissions.policies("kube-system");
        List<Permission> statuses = RequiredPermissions.policyStatuses("kube-system");
        List<Permission> locker = RequiredPermissions.lease("kube-system", "aks-managed-resource-locker");
        List<Permission> leader = RequiredPermissions.lease("kube-system", "poolkeeper-leader");
        return Stream.of(
                daemon("", watching, policies, statuses, events, locker, leader),
                daemon("dryRun: true\nreadinessGate: {enabled: true}", watching, policies),
                daemon("policyObjects: false", watching, events, locker, leader),
                daemon("dryRun: true\npolicyObjects: false", watching),
                daemon("leaderElection: {enabled: false}", watching, policies, statuses, events, locker),
                daemon(
                        "policyNamespace: red\nleaderElection: {leaseName: a, leaseNamespace: b}\n"
                                + "resourceLock: {leaseName: c, leaseNamespace: d}",
                        watching,
                        RequiredPermissions.policies("red"),
                        RequiredPermissions.policyStatuses("red"),
                        events,
                        RequiredPermissions.lease("d", "c"),
                        RequiredPermissions.lease("b", "a")),
                daemon(
                        "readinessGate: {enabled: true, namespaces: [shop, bank]}",
                        watching,
                        policies,
                        statuses,
                        events,
                        locker,
                        RequiredPermissions.readinessGate(List.of("shop", "bank")),
                        leader));
    }

    @ParameterizedTest
    @MethodSource("daemons")
    void each_permission_that_a_daemon_needs_is_reported_if_it_is_missing(String keys, List<Permission> needed)
            throws Exception {
        world.kube.faults().deny(request -> !request.resource().equals(REVIEW));
        List<String> missing = new ArrayList<>();
        try (DaemonInProcess daemon = DaemonInProcess.start(world.configuration("one", keys))) {
            Await.until("missing permissions are reported", daemon::logText, () -> {
                missing.clear();
                daemon.pages()
                        .status()
                        .path("missingPermissions")
                        .valueStream()
                        .filter(one -> one.path("where").asText().equals("Kubernetes"))
                        .forEach(one -> missing.add(one.path("permission").asText()));
                return !missing.isEmpty();
            });
        }
        assertThat(missing)
                .containsExactlyElementsOf(
                        needed.stream().map(Permission::toString).toList());
    }
}
