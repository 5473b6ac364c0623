package dev.poolkeeper.lab.retries;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.lab.retries.EnvoyBudget.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class EnvoyBudgetTest {

    enum Event {
        BEGINS,
        WISHES,
        RETRY_ENDS,
        ENDS
    }

    /** Settings with a sequence of events. */
    record Case(Settings settings, List<Event> events) {}

    private static long admitted(RetryBudget budget) {
        return IntStream.range(0, 100)
                .filter(i -> budget.tryWithdraw().isPresent())
                .count();
    }

    @Test
    @Rule(
            id = "P17",
            says = "Envoy's budget admits retries while fewer are in progress than 20 % of the active requests, or than"
                    + " 3.",
            source = "GEP-3388, Envoy")
    void envoys_budget_counts_what_is_in_progress() {
        RetryBudget budget = new EnvoyBudget(Settings.DEFAULT);
        List<InProgress> exchanges = new ArrayList<>();
        Stream.generate(budget::deposit).limit(10).forEach(exchanges::add);
        InProgress retry = budget.tryWithdraw().orElseThrow();
        assertThat(admitted(budget)).isEqualTo(2);
        Stream.generate(budget::deposit).limit(90).forEach(exchanges::add);
        assertThat(admitted(budget)).isEqualTo(17);
        retry.close();
        assertThat(admitted(budget)).isEqualTo(1);
        exchanges.forEach(InProgress::close);
        assertThat(admitted(budget)).isZero();
    }

    @Test
    void a_share_that_binary_fractions_cannot_express_is_exact() {
        RetryBudget budget = new EnvoyBudget(new Settings(33.3, 0));
        IntStream.range(0, 1_000).forEach(i -> budget.deposit());
        assertThat(budget.balance()).hasValue(333);
        assertThat(IntStream.range(0, 1_000).filter(i -> budget.tryWithdraw().isPresent()))
                .hasSize(333);
    }

    /** Against two plain counts. */
    @Property(tries = 600)
    void admits_while_fewer_retries_are_in_progress_than_share_or_floor(@ForAll("cases") Case given) {
        RetryBudget budget = new EnvoyBudget(given.settings());
        Deque<InProgress> active = new ArrayDeque<>();
        Deque<InProgress> retries = new ArrayDeque<>();
        for (Event event : given.events()) {
            switch (event) {
                case BEGINS -> active.add(budget.deposit());
                case WISHES -> {
                    boolean expected = retries.size() < given.settings().minRetryConcurrency()
                            || retries.size() + 1 <= given.settings().budgetPercent() * active.size() / 100;
                    Optional<InProgress> admitted = budget.tryWithdraw();
                    assertThat(admitted.isPresent()).isEqualTo(expected);
                    admitted.ifPresent(retries::add);
                }
                case RETRY_ENDS -> end(retries);
                case ENDS -> end(active);
            }
        }
    }

    private static void end(Deque<InProgress> begun) {
        if (!begun.isEmpty()) {
            begun.remove().close();
        }
    }

    @Provide
    Arbitrary<Case> cases() {
        return Combinators.combine(
                        Combinators.combine(Arbitraries.of(0.0, 1.0, 20.0, 50.0, 100.0), Arbitraries.of(0, 1, 3))
                                .as(Settings::new),
                        Arbitraries.of(Event.class).list().ofMinSize(1).ofMaxSize(200))
                .as(Case::new);
    }
}
