package dev.poolkeeper.k8s.readiness;

import dev.poolkeeper.contract.PodConditionsContract;
import dev.poolkeeper.k8s.GatedPodObjects;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.SystemTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("real-cluster")
class KubernetesPodConditionsContractTest implements PodConditionsContract {

    private final TestCluster cluster = new TestCluster();
    private final SystemTime time = new SystemTime();
    private final KubernetesPodConditions conditions = new KubernetesPodConditions(cluster.client(), time);

    @AfterEach
    void close() {
        time.close();
        cluster.close();
    }

    @Override
    public PodConditions conditions() {
        return conditions;
    }

    @Override
    public PodId create(String name) {
        Pod pod = cluster.client()
                .resource(GatedPodObjects.of(cluster.namespace(), name))
                .create();
        return new PodId(cluster.namespace(), name, pod.getMetadata().getUid());
    }

    @Override
    public PodState seen(PodId pod) {
        String version = resource(pod).get().getMetadata().getResourceVersion();
        return new PodState(pod, Map.of(), true, false, Optional.empty(), List.of(), Optional.empty(), version);
    }

    @Override
    public void delete(PodId pod) {
        resource(pod).withGracePeriod(0).delete();
    }

    @Override
    public Optional<ReadinessCondition> condition(PodId pod) {
        return resource(pod).get().getStatus().getConditions().stream()
                .filter(one -> PodState.GATE.equals(one.getType()))
                .map(KubernetesPodConditionsContractTest::parse)
                .findFirst();
    }

    private PodResource resource(PodId pod) {
        return cluster.client().pods().inNamespace(pod.namespace()).withName(pod.name());
    }

    private static ReadinessCondition parse(PodCondition condition) {
        return new ReadinessCondition(
                condition.getStatus().equals("True"),
                condition.getReason(),
                condition.getMessage(),
                Instant.parse(condition.getLastTransitionTime()));
    }
}
