package dev.poolkeeper.core.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** The merge rule against a model on plain sets of strings. */
class MergeRulePropertyTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "a-b-c");

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
            says = "Folding applies operations one after another; Remove and Replace leave what another local Service"
                    + " of the pool wants.",
            source = "design document, Merge Rule; contract, Replay rule 8")
    void folding_is_what_plain_sets_say(
            @ForAll("addresses") Set<String> held,
            @ForAll("steps") List<Step> steps,
            @ForAll("addresses") Set<String> wantedByFirst,
            @ForAll("addresses") Set<String> wantedBySecond) {
        Map<ServiceName, Set<String>> wanted = Map.of(service(0), wantedByFirst, service(1), wantedBySecond);

        AddressSet folded = MergeRule.fold(set(held), pending(steps), others(wanted));

        Set<String> expected = new HashSet<>(held);
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
        assertThat(folded).isEqualTo(set(expected));
    }

    @Property
    void folding_at_once_is_folding_in_two_parts(
            @ForAll("addresses") Set<String> held,
            @ForAll("steps") List<Step> first,
            @ForAll("steps") List<Step> second) {
        LocalServices nobody = (service, pool) -> true;
        List<PendingOperation> both = new java.util.ArrayList<>(pending(first));
        both.addAll(pending(second));

        AddressSet inTwo = MergeRule.fold(MergeRule.fold(set(held), pending(first), nobody), pending(second), nobody);

        assertThat(MergeRule.fold(set(held), both, nobody)).isEqualTo(inTwo);
    }

    @Property
    void folding_the_same_operation_twice_is_folding_it_once(
            @ForAll("addresses") Set<String> held, @ForAll("step") Step step) {
        LocalServices nobody = (service, pool) -> true;

        assertThat(MergeRule.fold(set(held), pending(List.of(step, step)), nobody))
                .isEqualTo(MergeRule.fold(set(held), pending(List.of(step)), nobody));
    }

    private static LocalServices others(Map<ServiceName, Set<String>> wanted) {
        return new LocalServices() {
            @Override
            public boolean isLocal(ServiceName service, PoolKey pool) {
                return true;
            }

            @Override
            public AddressSet wantedByOthers(ServiceName service, PoolKey pool) {
                return wanted.entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(service))
                        .map(entry -> set(entry.getValue()))
                        .reduce(AddressSet.empty(), AddressSet::union);
            }
        };
    }

    private static AddressSet set(Set<String> addresses) {
        return AddressSet.of(addresses.stream().map(IpAddress::of).toList());
    }

    private static List<PendingOperation> pending(List<Step> steps) {
        return steps.stream()
                .map(step -> PendingOperation.fresh(step.operation(), 0))
                .toList();
    }

    private static ServiceName service(int number) {
        return number == 0 ? new ServiceName("a", "b-c") : new ServiceName("a-b", "c");
    }

    @Provide
    Arbitrary<Set<String>> addresses() {
        return Arbitraries.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "fd12::1")
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
        return step().list().ofMaxSize(6);
    }
}
