package dev.poolkeeper.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/** The queue against a plain list, which prepends requeued operations as the design document does. */
class OperationQueuePropertyTest {

    sealed interface Step {
        record Add(Operation operation) implements Step {}

        record Ensure(Operation.Sync operation) implements Step {}

        record Remove(int service, int pool) implements Step {}

        record Drain() implements Step {}

        record PutBack(boolean reversed, boolean retried) implements Step {}
    }

    private record Entry(Operation operation, int retryCount) {
        boolean isSyncOf(Operation other) {
            return operation instanceof Operation.Sync && operation.equals(other);
        }
    }

    @Property(tries = 2000)
    void the_queue_behaves_like_an_ordered_list(@ForAll("steps") List<Step> steps) {
        OperationQueue queue = new OperationQueue(TestPools.none(), () -> Instant.EPOCH, Duration.ZERO);
        List<Entry> list = new ArrayList<>();
        List<OperationGroup> drained = new ArrayList<>();
        List<Entry> drainedList = new ArrayList<>();
        boolean met = false;
        for (Step step : steps) {
            switch (step) {
                case Step.Add(Operation operation) -> {
                    queue.add(operation);
                    add(list, operation);
                }
                case Step.Ensure(Operation.Sync operation) -> {
                    queue.ensure(operation);
                    if (list.stream().noneMatch(entry -> entry.isSyncOf(operation))) {
                        list.add(new Entry(operation, 0));
                    }
                }
                case Step.Remove(int s, int p) -> {
                    queue.remove(service(s), pool(p));
                    list.removeIf(entry -> entry.operation.service().equals(service(s))
                            && entry.operation.pool().equals(pool(p)));
                }
                case Step.Drain() -> {
                    if (drained.isEmpty()) {
                        drained.addAll(Drain.due(queue, null, Instant.MAX));
                        drainedList.addAll(list);
                        list.clear();
                    }
                }
                case Step.PutBack(boolean reversed, boolean retried) -> {
                    met |= putBack(list, drainedList, retried);
                    for (OperationGroup group : reversed ? drained.reversed() : drained) {
                        OperationQueueTest.requeue(queue, group.pool(), retried ? retried(group) : group.operations());
                    }
                    drained.clear();
                    drainedList.clear();
                }
            }
            assertThat(queue.size()).isEqualTo(list.size());
        }
        Statistics.label("a requeued operation met a newer one").collect(met);

        List<OperationGroup> groups = Drain.due(queue, null, Instant.MAX);

        assertThat(groups.stream().map(OperationGroup::pool))
                .containsExactlyElementsOf(list.stream()
                        .map(entry -> entry.operation.pool())
                        .distinct()
                        .toList());
        for (OperationGroup group : groups) {
            assertThat(group.operations().stream().map(pending -> new Entry(pending.operation(), pending.retryCount())))
                    .containsExactlyElementsOf(list.stream()
                            .filter(entry -> entry.operation.pool().equals(group.pool()))
                            .toList());
        }
        assertThat(groups.stream().flatMap(group -> group.operations().stream()).map(PendingOperation::sequence))
                .doesNotHaveDuplicates();
    }

    private static List<PendingOperation> retried(OperationGroup group) {
        return group.operations().stream()
                .map(operation -> operation.retried(null))
                .toList();
    }

    private static void add(List<Entry> list, Operation operation) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).isSyncOf(operation)) {
                list.set(i, new Entry(operation, 0));
                return;
            }
        }
        list.add(new Entry(operation, 0));
    }

    /** Returns whether a requeued operation was merged with a newer one. */
    private static boolean putBack(List<Entry> list, List<Entry> returned, boolean retried) {
        boolean met = false;
        List<Entry> front = new ArrayList<>();
        for (Entry entry : returned) {
            Optional<Entry> newer = list.stream()
                    .filter(other -> other.isSyncOf(entry.operation))
                    .findFirst();
            met |= newer.isPresent();
            newer.ifPresent(list::remove);
            front.add(newer.orElse(new Entry(entry.operation, entry.retryCount + (retried ? 1 : 0))));
        }
        list.addAll(0, front);
        return met;
    }

    private static ServiceName service(int number) {
        return new ServiceName("ns", "s" + number);
    }

    private static PoolKey pool(int number) {
        return PoolKey.of("lb", "p" + number);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> few = Arbitraries.integers().between(0, 2);
        Arbitrary<Operation.Sync> sync =
                Combinators.combine(few, few).as((s, p) -> new Operation.Sync(service(s), pool(p)));
        Arbitrary<Operation> ofDiff = Combinators.combine(
                        few, few, Arbitraries.integers().between(1, 9))
                .as((s, p, a) -> new Operation.Replace(service(s), pool(p), AddressSet.of("10.0.0." + a)));
        Arbitrary<Step> remove = Combinators.combine(few, few).as(Step.Remove::new);
        Arbitrary<Step> drain = Arbitraries.create(Step.Drain::new);
        Arbitrary<Step> putBack = Combinators.combine(Arbitraries.of(true, false), Arbitraries.of(true, false))
                .as(Step.PutBack::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(6, sync.map(Step.Add::new)),
                        Tuple.of(3, ofDiff.map(Step.Add::new)),
                        Tuple.of(2, sync.map(Step.Ensure::new)),
                        Tuple.of(2, remove),
                        Tuple.of(2, drain),
                        Tuple.of(2, putBack))
                .list()
                .ofMaxSize(30);
    }
}
