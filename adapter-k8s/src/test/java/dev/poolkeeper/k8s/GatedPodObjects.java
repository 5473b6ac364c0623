package dev.poolkeeper.k8s;

import dev.poolkeeper.ports.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/** Pods that opted in to the readiness gate, as they are created. */
public final class GatedPodObjects {

    private GatedPodObjects() {}

    /** A Pod with the label and the gate that has not been scheduled yet. */
    public static Pod of(String namespace, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app", "web")
                .addToLabels(PodState.LABEL, "true")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web")
                .endContainer()
                .addNewReadinessGate(PodState.GATE)
                .endSpec()
                .build();
    }
}
