package dev.poolkeeper.fake;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sets conditions on the Pods of a {@link FakeCluster}, which reports them like any other change. Thread-safe. */
public final class FakePodConditions implements PodConditions {

    private final FakeCluster cluster;
    private final List<Write> writes = new ArrayList<>();
    private final List<PodId> requests = new ArrayList<>();
    private Function<PodId, @Nullable Result> answers = id -> null;
    private Predicate<PodId> hanging = id -> false;
    private final List<CompletableFuture<Result>> unanswered = new ArrayList<>();

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

    /** From now on requests for these Pods are not answered, until {@link #answerHanging}. */
    public synchronized void hang(Predicate<PodId> newHanging) {
        hanging = newHanging;
    }

    /** Answers every request that was not answered, without setting anything. */
    public synchronized void answerHanging(Result answer) {
        unanswered.forEach(request -> request.complete(answer));
        unanswered.clear();
    }

    @Override
    public synchronized CompletableFuture<Result> set(PodState seen, ReadinessCondition condition) {
        requests.add(seen.id());
        if (!hanging.test(seen.id())) {
            return CompletableFuture.completedFuture(result(seen, condition));
        }
        CompletableFuture<Result> request = new CompletableFuture<>();
        unanswered.add(request);
        return request;
    }

    private Result result(PodState seen, ReadinessCondition condition) {
        PodId id = seen.id();
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
