package dev.poolkeeper.fake;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets conditions on the Pods of a {@link FakeCluster}, which reports them like any other change. Thread-safe. */
public final class FakePodConditions implements PodConditions {

    private final FakeCluster cluster;
    private final List<Write> writes = new ArrayList<>();
    private final List<PodId> requests = new ArrayList<>();
    private Function<PodId, @Nullable Result> answers = id -> null;

    /**
     * A request that was answered with {@link Written}.
     *
     * @param pod the Pod
     * @param condition the condition that was set
     */
    public record Write(PodId pod, ReadinessCondition condition) {}

    public FakePodConditions(FakeCluster cluster) {
        this.cluster = requireNonNull(cluster, "cluster");
    }

    /** Answers every request like this from now on, without setting anything; null to restore normal behaviour. */
    public synchronized void answer(@Nullable Result answer) {
        answers = id -> answer;
    }

    /** As {@link #answer}, for each Pod. */
    public synchronized void answers(Function<PodId, @Nullable Result> newAnswers) {
        answers = newAnswers;
    }

    /** The Pod of every request, in order. */
    public synchronized List<PodId> requests() {
        return List.copyOf(requests);
    }

    /** Every condition that was set, in order. */
    public synchronized List<Write> writes() {
        return List.copyOf(writes);
    }

    @Override
    public synchronized Result set(PodState seen, ReadinessCondition condition) {
        PodId id = seen.id();
        requests.add(id);
        Result answer = answers.apply(id);
        if (answer != null) {
            return answer;
        }
        Optional<PodState> there = cluster.pod(id).filter(pod -> pod.id().equals(id));
        if (there.isEmpty()) {
            return new Outdated("no such Pod");
        }
        if (!condition.met() && !seen.version().equals(there.get().version())) {
            return new Outdated("the Pod has changed");
        }
        writes.add(new Write(id, condition));
        cluster.put(there.get().withCondition(condition));
        return new Written();
    }
}
