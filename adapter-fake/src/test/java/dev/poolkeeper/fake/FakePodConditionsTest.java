package dev.poolkeeper.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.PodConditionsContract;
import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FakePodConditionsTest implements PodConditionsContract {

    private final FakeCluster cluster = new FakeCluster();
    private final FakePodConditions conditions = new FakePodConditions(cluster);
    private int created;

    @Override
    public PodConditions conditions() {
        return conditions;
    }

    @Override
    public PodId create(String name) {
        PodId pod = new PodId("shop", name, "uid-" + ++created);
        cluster.put(new PodState(
                pod,
                Map.of(PodState.LABEL, "true"),
                true,
                false,
                Optional.of("n1"),
                List.of("10.244.0.9"),
                Optional.empty(),
                "1"));
        return pod;
    }

    @Override
    public PodState seen(PodId pod) {
        return cluster.pod(pod).orElseThrow();
    }

    @Override
    public void delete(PodId pod) {
        cluster.deletePod(pod);
    }

    @Override
    public Optional<ReadinessCondition> condition(PodId pod) {
        return cluster.pod(pod).flatMap(PodState::condition);
    }

    @Test
    void a_scripted_response_sets_nothing() {
        PodId pod = create("web-1");
        conditions.answer(new PodConditions.Refused("HTTP 403"));

        assertThat(conditions.set(seen(pod), READY).join()).isEqualTo(new PodConditions.Refused("HTTP 403"));
        assertThat(condition(pod)).isEmpty();
        assertThat(conditions.writes()).isEmpty();
    }
}
