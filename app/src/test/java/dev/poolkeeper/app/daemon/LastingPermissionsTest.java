package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.app.logging.Logged;
import dev.poolkeeper.app.status.DaemonStatus.MissingPermission;
import dev.poolkeeper.azure.identity.AzurePermissions;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.permissions.RequiredPermissions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Permissions that are missing at the start and granted later. */
class LastingPermissionsTest {

    private static final AzurePermissions ALL = new AzurePermissions(List.of(), List.of());
    private static final AzurePermissions NONE = new AzurePermissions(
            List.of(new AzurePermissions.Missing("Microsoft.Network/loadBalancers/read", "group", "find pools")),
            List.of());
    private static final AzurePermissions UNKNOWN = unknown("group");
    private static final AzurePermissions BROKEN = unknown("bug");

    private static AzurePermissions unknown(String scope) {
        return new AzurePermissions(List.of(), List.of(new AzurePermissions.Unknown(scope, "no answer")));
    }

    private final FakeTime time = new FakeTime();
    private final KubeEmulator kube;
    private final KubernetesClient client;
    private AzurePermissions azure = ALL;
    private boolean writes = true;
    private int probes;

    @RegisterExtension
    final Logged logged = new Logged(Permissions.class.getName(), Level.INFO);

    LastingPermissionsTest() throws IOException {
        kube = KubeEmulator.start();
        client = KubernetesClients.forLeases(ApiServer.at(kube.uri()), Duration.ofSeconds(10));
    }

    @AfterEach
    void close() {
        client.close();
        kube.close();
    }

    private Permissions probed() {
        Permissions permissions = new Permissions(
                () -> {
                    probes++;
                    if (azure.equals(BROKEN)) {
                        throw new IllegalStateException("a bug");
                    }
                    return azure;
                },
                writes,
                client,
                RequiredPermissions.events(),
                time);
        permissions.probe();
        return permissions;
    }

    /** Without those of another test's daemon, whose last probe may end late. */
    private List<String> lines() {
        return logged.list.stream()
                .filter(line ->
                        line.getThreadName().equals(Thread.currentThread().getName()))
                .map(ILoggingEvent::getMessage)
                .toList();
    }

    @Test
    void a_permission_is_no_longer_missing_once_it_is_granted() {
        // given
        kube.faults().deny(request -> request.verb().equals("patch"));
        azure = NONE;
        Permissions permissions = probed();
        assertThat(permissions.missing()).extracting(MissingPermission::where).containsExactly("Kubernetes", "Azure");
        // when
        kube.faults().clear();
        time.advance(Duration.ofMinutes(5));
        // then
        assertThat(permissions.missing()).extracting(MissingPermission::where).containsExactly("Azure");
        // when
        azure = ALL;
        time.advance(Duration.ofMinutes(5));
        // then
        assertThat(permissions.missing()).isEmpty();
        assertThat(lines())
                .containsExactly(
                        "Permission missing", "Permission missing", "Permission granted", "Permission granted");
        // when
        time.advance(Duration.ofHours(1));
        // then
        assertThat(probes).isEqualTo(3);
    }

    @Test
    void a_permission_stays_missing_while_it_cannot_be_checked() {
        azure = NONE;
        Permissions permissions = probed();

        azure = UNKNOWN;
        time.advance(Duration.ofHours(1));

        assertThat(permissions.missing()).hasSize(1);
        assertThat(probes).isEqualTo(13);
        assertThat(lines()).containsExactly("Permission missing", "Permissions could not be checked");
    }

    @Test
    void a_permission_is_granted_though_another_scope_cannot_be_checked() {
        azure = NONE;
        Permissions permissions = probed();

        azure = unknown("vnet");
        time.advance(Duration.ofHours(1));

        assertThat(permissions.missing()).isEmpty();
        assertThat(probes).isEqualTo(2);
        assertThat(lines())
                .containsExactlyInAnyOrder(
                        "Permission missing", "Permissions could not be checked", "Permission granted");
    }

    @Test
    void complete_permissions_are_probed_once() {
        probed();
        time.advance(Duration.ofHours(1));

        assertThat(probes).isEqualTo(1);
    }

    private static List<String> permissions(Permissions permissions) {
        return permissions.missing().stream().map(MissingPermission::permission).toList();
    }

    @Test
    void a_dry_run_misses_no_permission_to_write() {
        writes = false;
        azure = new AzurePermissions(
                List.of(
                        new AzurePermissions.Missing("Microsoft.Network/loadBalancers/read", "group", "find pools"),
                        new AzurePermissions.Missing(
                                "Microsoft.Network/loadBalancers/backendAddressPools/write", "group", "write pools"),
                        new AzurePermissions.Missing(
                                "Microsoft.Network/virtualNetworks/subnets/join/action", "vnet", "write pools")),
                List.of());
        assertThat(permissions(probed())).containsExactly("Microsoft.Network/loadBalancers/read");
        writes = true;
        assertThat(permissions(probed())).hasSize(3);
    }

    @Test
    void a_probe_that_fails_unexpectedly_is_repeated_as_long_as_one_is_missing() {
        azure = NONE;
        Permissions permissions = probed();
        azure = BROKEN;
        assertThatThrownBy(() -> time.advance(Duration.ofMinutes(5))).hasMessage("a bug");
        assertThat(permissions.missing()).hasSize(1);
        azure = ALL;
        time.advance(Duration.ofMinutes(5));
        assertThat(permissions.missing()).isEmpty();
        assertThat(probes).isEqualTo(3);
    }

    @Test
    void a_reason_why_something_cannot_be_checked_is_told_anew_after_it_ended() {
        azure = new AzurePermissions(NONE.missing(), UNKNOWN.unknown());
        Permissions unused = probed();
        time.advance(Duration.ofMinutes(5));
        azure = NONE;
        time.advance(Duration.ofMinutes(5));
        azure = new AzurePermissions(NONE.missing(), UNKNOWN.unknown());
        time.advance(Duration.ofMinutes(10));
        assertThat(lines())
                .containsExactly(
                        "Permissions could not be checked", "Permission missing", "Permissions could not be checked");
    }

    @Test
    void a_permission_in_kubernetes_stays_missing_while_it_cannot_be_checked() {
        // given
        kube.faults().deny(request -> request.verb().equals("patch"));
        Permissions permissions = probed();
        String patch = "patch events.events.k8s.io in all namespaces";
        assertThat(permissions(permissions)).containsExactly(patch);
        // when
        kube.faults().clear();
        kube.faults().fail(request -> request.resource().equals("selfsubjectaccessreviews"), 403, 1_000);
        time.advance(Duration.ofMinutes(10));
        // then
        assertThat(permissions(permissions)).containsExactly(patch);
        assertThat(lines()).containsExactly("Permission missing", "Permissions could not be checked");
        assertThat(logged.list.getLast().getKeyValuePairs().toString())
                .contains("where=\"Kubernetes\"")
                .contains("could not check: create events.events.k8s.io in all namespaces, " + patch);
        // when
        kube.faults().clear();
        time.advance(Duration.ofMinutes(5));
        // then
        assertThat(permissions.missing()).isEmpty();
    }
}
