package dev.poolkeeper.app.wiring;

import static dev.poolkeeper.app.wiring.MachineModule.LEASES;
import static dev.poolkeeper.app.wiring.MachineModule.OBJECTS;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.name.Named;
import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.app.daemon.Membership;
import dev.poolkeeper.app.daemon.Permissions;
import dev.poolkeeper.app.daemon.RetryPolicies;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.readiness.GatedPods;
import dev.poolkeeper.k8s.events.EventSettings;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import dev.poolkeeper.k8s.lease.KubernetesLeaseStore;
import dev.poolkeeper.k8s.lease.LeaderElection;
import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.permissions.Permission;
import dev.poolkeeper.k8s.permissions.RequiredPermissions;
import dev.poolkeeper.k8s.policies.PolicyStatusWriter;
import dev.poolkeeper.k8s.policies.PolicyWatcher;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.k8s.watch.PodScope;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Binds the cluster: watches, leader election, resource lock and Events. A dry run writes nothing to the cluster. */
final class ClusterModule extends AbstractModule {

    @Override
    protected void configure() {
        bind(WatchSettings.class).toInstance(WatchSettings.DEFAULT);
        bind(ClusterListener.class).to(EndpointIndex.class);
    }

    @Provides
    @Singleton
    ClusterWatcher watcher(
            @Named(OBJECTS) KubernetesClient client,
            WatchSettings settings,
            Time time,
            ClusterListener listener,
            GatedPods pods,
            DaemonSettings daemon) {
        DaemonSettings.GateKeys gate = daemon.gate();
        return gate.enabled()
                ? new ClusterWatcher(
                        client, settings, time, List.of(listener, pods), Optional.of(new PodScope(gate.namespaces())))
                : new ClusterWatcher(client, settings, time, listener);
    }

    @Provides
    @Singleton
    Optional<PolicyWatcher> policyWatcher(
            @Named(OBJECTS) KubernetesClient client,
            DaemonSettings settings,
            WatchSettings watches,
            Time time,
            RetryPolicies policies) {
        return settings.policies().watched()
                ? Optional.of(
                        new PolicyWatcher(client, settings.policies().namespace(), watches, time, policies::cluster))
                : Optional.empty();
    }

    @Provides
    @Singleton
    Optional<PolicyStatusWriter> policyStatuses(
            @Named(OBJECTS) KubernetesClient client,
            MachineModule.Identity identity,
            DaemonSettings settings,
            Time time) {
        return settings.policies().watched() && !settings.dryRun()
                ? Optional.of(new PolicyStatusWriter(client, identity.host(), time))
                : Optional.empty();
    }

    @Provides
    @Singleton
    Optional<LeaseResourceLock> lease(
            @Named(LEASES) KubernetesClient client,
            MachineModule.Identity identity,
            DaemonSettings settings,
            Watchdog watchdog,
            Time time) {
        if (settings.dryRun()) {
            return Optional.empty();
        }
        DaemonSettings.LockKeys keys = settings.lock();
        return Optional.of(new LeaseResourceLock(
                new KubernetesLeaseStore(client, keys.leaseNamespace(), keys.leaseName()),
                identity.holder(),
                keys.times(),
                time,
                watchdog::isSound));
    }

    @Provides
    @Singleton
    ResourceLock lock(Optional<LeaseResourceLock> lease) {
        return lease.<ResourceLock>map(lock -> lock).orElse(ResourceLock.NONE);
    }

    @Provides
    @Singleton
    Optional<KubernetesServiceEvents> recorder(
            @Named(OBJECTS) KubernetesClient client,
            MachineModule.Identity identity,
            DaemonSettings settings,
            Time time,
            ClusterWatcher watcher) {
        return settings.dryRun()
                ? Optional.empty()
                : Optional.of(
                        new KubernetesServiceEvents(client, EventSettings.of(identity.host()), time, watcher::uidOf));
    }

    @Provides
    @Singleton
    ServiceEvents events(Optional<KubernetesServiceEvents> recorder) {
        return recorder.<ServiceEvents>map(events -> events).orElse(event -> {});
    }

    @Provides
    @Singleton
    Optional<LeaderElection> election(
            @Named(LEASES) KubernetesClient client,
            MachineModule.Identity identity,
            DaemonSettings settings,
            LeadershipListener listener,
            Watchdog watchdog,
            Time time) {
        DaemonSettings.ElectionKeys keys = settings.election();
        if (!keys.enabled() || settings.dryRun()) {
            return Optional.empty();
        }
        return Optional.of(new LeaderElection(
                new KubernetesLeaseStore(client, keys.leaseNamespace(), keys.leaseName()),
                identity.holder(),
                keys.times(),
                time,
                listener,
                watchdog::isSound));
    }

    @Provides
    @Singleton
    LeadershipListener leadership(Engine engine, Optional<PolicyStatusWriter> statuses) {
        return new Leads(engine, statuses);
    }

    @Provides
    @Singleton
    Membership membership(
            ClusterWatcher watcher,
            Optional<PolicyWatcher> policies,
            Optional<LeaderElection> election,
            Optional<LeaseResourceLock> lock,
            Optional<KubernetesServiceEvents> events,
            Engine engine,
            LeadershipListener leads,
            Watchdog watchdog,
            Membership.Connections connections) {
        return new Membership(
                new Membership.Watching(watcher, policies),
                new Membership.Writing(election, lock, events),
                engine,
                leads,
                watchdog::isSound,
                connections);
    }

    @Provides
    @Singleton
    Permissions permissions(
            AzurePools azure, @Named(LEASES) KubernetesClient client, DaemonSettings settings, Time time) {
        List<Permission> required = new ArrayList<>(RequiredPermissions.watching());
        String policyNamespace = settings.policies().namespace();
        if (settings.policies().watched()) {
            required.addAll(RequiredPermissions.policies(policyNamespace));
        }
        if (settings.policies().watched() && !settings.dryRun()) {
            required.addAll(RequiredPermissions.policyStatuses(policyNamespace));
        }
        if (!settings.dryRun()) {
            required.addAll(RequiredPermissions.events());
            required.addAll(RequiredPermissions.lease(
                    settings.lock().leaseNamespace(), settings.lock().leaseName()));
            if (settings.gate().enabled()) {
                required.addAll(
                        RequiredPermissions.readinessGate(settings.gate().namespaces()));
            }
            if (settings.election().enabled()) {
                required.addAll(RequiredPermissions.lease(
                        settings.election().leaseNamespace(),
                        settings.election().leaseName()));
            }
        }
        return new Permissions(azure::probe, !settings.dryRun(), client, required, time);
    }
}
