package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.name.Named;
import dev.poolkeeper.app.config.DaemonSettings;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.readiness.GatedPods;
import dev.poolkeeper.core.readiness.ReadinessGate;
import dev.poolkeeper.k8s.readiness.KubernetesPodConditions;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;

/** Binds the readiness gate, if it is enabled. */
final class ReadinessModule extends AbstractModule {

    @Provides
    @Singleton
    GatedPods pods() {
        return new GatedPods();
    }

    @Provides
    @Singleton
    Optional<ReadinessGate> gate(
            DaemonSettings settings,
            GatedPods pods,
            EndpointIndex view,
            Engine engine,
            @Named(MachineModule.OBJECTS) KubernetesClient client,
            ClusterWatcher watcher,
            Time time) {
        return settings.gate().enabled()
                ? Optional.of(new ReadinessGate(
                        pods,
                        view::addressesOf,
                        engine,
                        new KubernetesPodConditions(client, time),
                        settings.gate().timeout(),
                        time,
                        namespace -> watcher.hasSynced() && watcher.hasSyncedPods(namespace)))
                : Optional.empty();
    }
}
