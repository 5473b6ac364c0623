package dev.poolkeeper.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.operation.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/** The queue against a plain list, which prepends what comes back as the design document does. */
class OperationQueuePropertyTest {

    sealed interface Step {
        record Add(int service, int pool, int address) implements Step {}

        record Remove(int service) implements Step {}

        record RemoveFrom(int service, int pool) implements Step {}

        record Drain() implements Step {}

        record PutBack(boolean reversed) implements Step {}
    }

    private record Entry(ServiceName service, PoolKey pool, int address) {}

    @Property(tries = 2000)
    void the_queue_keeps_what_a_list_keeps_and_in_that_order(
            @ForAll UpdateModel model, @ForAll("steps") List<Step> steps) {
        OperationQueue queue = new OperationQueue(model);
        List<Entry> list = new ArrayList<>();
        List<OperationGroup> drained = new ArrayList<>();
        List<Entry> drainedList = new ArrayList<>();
        boolean met = false;
        for (Step step : steps) {
            switch (step) {
                case Step.Add(int s, int p, int a) -> {
                    queue.add(new Operation.Replace(service(s), pool(p), AddressSet.of("10.0.0." + a)));
                    add(list, new Entry(service(s), pool(p), a), model);
                }
                case Step.Remove(int s) -> {
                    queue.remove(service(s));
                    list.removeIf(entry -> entry.service.equals(service(s)));
                }
                case Step.RemoveFrom(int s, int p) -> {
                    queue.remove(service(s), pool(p));
                    list.removeIf(entry -> entry.service.equals(service(s)) && entry.pool.equals(pool(p)));
                }
                case Step.Drain() -> {
                    if (drained.isEmpty()) {
                        drained.addAll(queue.drain());
                        drainedList.addAll(list);
                        list.clear();
                    }
                }
                case Step.PutBack(boolean reversed) -> {
                    met |= putBack(list, drainedList, model);
                    for (OperationGroup group : reversed ? drained.reversed() : drained) {
                        queue.requeue(group.pool(), group.operations());
                    }
                    drained.clear();
                    drainedList.clear();
                }
            }
            assertThat(queue.size()).isEqualTo(list.size());
        }
        Statistics.label("a requeued operation met a newer one").collect(met);

        List<OperationGroup> groups = queue.drain();

        assertThat(groups.stream().map(OperationGroup::pool))
                .containsExactlyElementsOf(
                        list.stream().map(Entry::pool).distinct().toList());
        for (OperationGroup group : groups) {
            assertThat(group.operations().stream().map(OperationQueuePropertyTest::entry))
                    .containsExactlyElementsOf(list.stream()
                            .filter(entry -> entry.pool.equals(group.pool()))
                            .toList());
        }
        assertThat(groups.stream().flatMap(group -> group.operations().stream()).map(PendingOperation::sequence))
                .doesNotHaveDuplicates();
    }

    private static void add(List<Entry> list, Entry entry, UpdateModel model) {
        for (int i = 0; i < list.size() && model.supersedes(); i++) {
            if (isSameTarget(list.get(i), entry)) {
                list.set(i, entry);
                return;
            }
        }
        list.add(entry);
    }

    /** Returns whether something that came back met a newer one. */
    private static boolean putBack(List<Entry> list, List<Entry> returned, UpdateModel model) {
        boolean met = false;
        List<Entry> front = new ArrayList<>();
        for (Entry entry : returned) {
            Entry newer = model.supersedes()
                    ? list.stream()
                            .filter(other -> isSameTarget(other, entry))
                            .findFirst()
                            .orElse(null)
                    : null;
            met |= newer != null;
            list.removeIf(other -> Objects.equals(other, newer));
            front.add(newer == null ? entry : newer);
        }
        list.addAll(0, front);
        return met;
    }

    private static boolean isSameTarget(Entry a, Entry b) {
        return a.service.equals(b.service) && a.pool.equals(b.pool);
    }

    private static Entry entry(PendingOperation pending) {
        String address = pending.operation().addresses().iterator().next().toString();
        return new Entry(
                pending.operation().service(),
                pending.operation().pool(),
                Integer.parseInt(address.substring(address.lastIndexOf('.') + 1)));
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
        Arbitrary<Integer> address = Arbitraries.integers().between(1, 9);
        Arbitrary<Step> add = Combinators.combine(few, few, address).as(Step.Add::new);
        Arbitrary<Step> remove = few.map(Step.Remove::new);
        Arbitrary<Step> removeFrom = Combinators.combine(few, few).as(Step.RemoveFrom::new);
        Arbitrary<Step> drain = Arbitraries.create(Step.Drain::new);
        Arbitrary<Step> putBack = Arbitraries.of(true, false).map(Step.PutBack::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(8, add),
                        Tuple.of(1, remove),
                        Tuple.of(1, removeFrom),
                        Tuple.of(2, drain),
                        Tuple.of(2, putBack))
                .list()
                .ofMaxSize(30);
    }
}
