package dev.poolkeeper.core.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.TestClusterView;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** The plans of both models against plain sets of strings. */
class UpdateModelPropertyTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "a-b-c");

    /** Pools of IPv4 that hold it lose it with their next update. */
    private static final String OTHER_FAMILY = "fd12::1";

    private enum Kind {
        ADD,
        REMOVE,
        REPLACE
    }

    record Step(Kind kind, ServiceName service, Set<String> addresses) {
        Operation operation() {
            AddressSet set = AddressSet.of(addresses.toArray(String[]::new));
            return switch (kind) {
                case ADD -> new Operation.Add(service, POOL, set);
                case REMOVE -> new Operation.Remove(service, POOL, set);
                case REPLACE -> new Operation.Replace(service, POOL, set);
            };
        }
    }

    @Property
    @Rule(
            id = "R08.4",
            says = "In diff, operations are applied one after another; Remove and Replace keep the addresses"
                    + " that another local Service of the pool wants.",
            source = "design document, Merge Rule; contract, Replay rule 8")
    void in_diff_operations_apply_as_plain_set_operations(
            @ForAll("held") Set<String> held,
            @ForAll("steps") List<Step> steps,
            @ForAll("addresses") Set<String> wantedByFirst,
            @ForAll("addresses") Set<String> wantedBySecond) {
        Map<ServiceName, Set<String>> wanted = Map.of(service(0), wantedByFirst, service(1), wantedBySecond);

        AddressSet planned =
                UpdateModel.DIFF.plan(set(held), pending(steps), wanting(wanted).wants(POOL));

        Set<String> expected = new HashSet<>(held);
        expected.remove(OTHER_FAMILY);
        for (Step step : steps) {
            Set<String> others = wanted.get(step.service.equals(service(0)) ? service(1) : service(0));
            switch (step.kind) {
                case ADD -> expected.addAll(step.addresses);
                case REMOVE -> expected.removeIf(a -> step.addresses.contains(a) && !others.contains(a));
                case REPLACE -> {
                    expected.removeIf(a -> !others.contains(a));
                    expected.addAll(step.addresses);
                }
            }
        }
        Statistics.label("changed").collect(!expected.equals(held));
        assertThat(planned).isEqualTo(set(expected));
    }

    @Property
    @Rule(
            id = "R08.9",
            says = "In desired-state, the plan keeps the held addresses that any local Service of the pool"
                    + " wants, and adds those of the Services with a waiting operation.",
            source = "contract, Replay rule 8")
    void in_desired_state_the_plan_is_the_set_wanted_when_the_pool_was_read(
            @ForAll("held") Set<String> held,
            @ForAll("addresses") Set<String> wantedByFirst,
            @ForAll("addresses") Set<String> wantedBySecond,
            @ForAll boolean secondWaits) {
        Map<ServiceName, Set<String>> wanted = Map.of(service(0), wantedByFirst, service(1), wantedBySecond);
        List<PendingOperation> waiting = Stream.of(0, 1)
                .filter(number -> number == 0 || secondWaits)
                .map(number -> PendingOperation.fresh(new Operation.Sync(service(number), POOL), number, Instant.EPOCH))
                .toList();

        AddressSet planned = UpdateModel.DESIRED_STATE.plan(
                set(held), waiting, wanting(wanted).wants(POOL));

        Set<String> expected = new HashSet<>(held);
        expected.removeIf(address -> !wantedByFirst.contains(address) && !wantedBySecond.contains(address));
        expected.addAll(wantedByFirst);
        if (secondWaits) {
            expected.addAll(wantedBySecond);
        }
        Statistics.label("changed").collect(!expected.equals(held));
        assertThat(planned).isEqualTo(set(expected));
    }

    @Property
    @Rule(
            id = "R08.10",
            says = "Before the wanted set of a Service was complete for the first time, its updates remove nothing from"
                    + " a pool; those of other Services leave what it wants so far, and nothing else.",
            source = "contract, Replay rules 5 and 8")
    void an_incomplete_set_adds_and_keeps_what_it_wants_and_nothing_else(
            @ForAll("held") Set<String> held,
            @ForAll("addresses") Set<String> wantedByIncomplete,
            @ForAll("addresses") Set<String> wantedByOther,
            @ForAll boolean otherWaits) {
        TestClusterView view = wanting(Map.of(service(1), wantedByOther));
        view.wantIncompletely(service(0), POOL, wantedByIncomplete.toArray(String[]::new));
        List<PendingOperation> waiting = Stream.of(otherWaits ? 1 : 0)
                .map(number -> PendingOperation.fresh(new Operation.Sync(service(number), POOL), number, Instant.EPOCH))
                .toList();

        AddressSet planned = UpdateModel.DESIRED_STATE.plan(set(held), waiting, view.wants(POOL));

        Set<String> expected = new HashSet<>(held);
        expected.remove(OTHER_FAMILY);
        if (otherWaits) {
            expected.removeIf(address -> !wantedByIncomplete.contains(address) && !wantedByOther.contains(address));
            expected.addAll(wantedByOther);
        } else {
            expected.addAll(wantedByIncomplete);
        }
        assertThat(planned).isEqualTo(set(expected));
    }

    @Property
    void planning_at_once_equals_planning_in_two_parts(
            @ForAll("held") Set<String> held, @ForAll("steps") List<Step> first, @ForAll("steps") List<Step> second) {
        TestClusterView view = wanting(Map.of(service(0), Set.of(), service(1), Set.of()));
        List<PendingOperation> both = new ArrayList<>(pending(first));
        both.addAll(pending(second));

        AddressSet afterFirst = UpdateModel.DIFF.plan(set(held), pending(first), view.wants(POOL));

        assertThat(UpdateModel.DIFF.plan(set(held), both, view.wants(POOL)))
                .isEqualTo(UpdateModel.DIFF.plan(afterFirst, pending(second), view.wants(POOL)));
    }

    @Property
    void planning_with_an_operation_twice_equals_planning_with_it_once(
            @ForAll("held") Set<String> held, @ForAll("step") Step step) {
        TestClusterView view = wanting(Map.of(service(0), Set.of(), service(1), Set.of()));

        assertThat(UpdateModel.DIFF.plan(set(held), pending(List.of(step, step)), view.wants(POOL)))
                .isEqualTo(UpdateModel.DIFF.plan(set(held), pending(List.of(step)), view.wants(POOL)));
    }

    private static TestClusterView wanting(Map<ServiceName, Set<String>> wanted) {
        TestClusterView view = new TestClusterView();
        wanted.forEach((service, addresses) -> view.want(service, POOL, set(addresses)));
        return view;
    }

    private static AddressSet set(Set<String> addresses) {
        return AddressSet.of(addresses.stream().map(IpAddress::of).toList());
    }

    private static List<PendingOperation> pending(List<Step> steps) {
        return steps.stream()
                .map(step -> PendingOperation.fresh(step.operation(), 0, Instant.EPOCH))
                .toList();
    }

    private static ServiceName service(int number) {
        return number == 0 ? new ServiceName("a", "b-c") : new ServiceName("a-b", "c");
    }

    @Provide
    Arbitrary<Set<String>> addresses() {
        return Arbitraries.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4")
                .set()
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<Set<String>> held() {
        return Arbitraries.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", OTHER_FAMILY)
                .set()
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<Step> step() {
        return Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.of(service(0), service(1)), addresses())
                .as(Step::new);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return step().list().ofMinSize(1).ofMaxSize(6);
    }
}
