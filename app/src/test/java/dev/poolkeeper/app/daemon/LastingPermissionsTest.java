package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static AzurePermissions unknown(String scope) {
        return new AzurePermissions(List.of(), List.of(new AzurePermissions.Unknown(scope, "no answer")));
    }

    private final FakeTime time = new FakeTime();
    private final KubeEmulator kube;
    private final KubernetesClient client;
    private AzurePermissions azure = ALL;
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
                    return azure;
                },
                true,
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
}
