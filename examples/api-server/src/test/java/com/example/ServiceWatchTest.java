package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeEmulatorExtension;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fabric8's informer against a Kubernetes API server on loopback, whose watches break in between. */
class ServiceWatchTest {

    private static final String SERVICE = """
            {"apiVersion": "v1", "kind": "Service", "metadata": {"namespace": "shop", "name": "%s"},
             "spec": {"type": "LoadBalancer", "ports": [{"port": 80}]}}""";

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension();

    @Test
    void an_informer_sees_what_was_created_after_its_watch_broke() throws Exception {
        KubeEmulator emulator = kube.emulator();
        emulator.createNamespace("shop");
        emulator.apply(SERVICE.formatted("web"));
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(emulator.uri().toString())
                .withOnlyHttpWatches(true)
                .build();

        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
                SharedIndexInformer<Service> informer = client.services().inAnyNamespace().inform(new Names(seen))) {
            assertEquals("web", seen.poll(1, TimeUnit.MINUTES));

            emulator.cutWatches();
            emulator.apply(SERVICE.formatted("api"));

            assertEquals("api", seen.poll(1, TimeUnit.MINUTES));
        }
    }

    /** Notes the names of Services that are added. */
    private record Names(BlockingQueue<String> seen) implements ResourceEventHandler<Service> {

        @Override
        public void onAdd(Service service) {
            seen.add(service.getMetadata().getName());
        }

        @Override
        public void onUpdate(Service before, Service after) {}

        @Override
        public void onDelete(Service service, boolean stateUnknown) {}
    }
}
