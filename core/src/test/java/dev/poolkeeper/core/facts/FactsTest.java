package dev.poolkeeper.core.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FactsTest {

    private final List<String> told = new ArrayList<>();
    private Consumer<Fact> first = fact -> {};
    private final Facts facts = new Facts(List.of(
            fact -> {
                told.add("first " + fact.pool().pool());
                first.accept(fact);
            },
            fact -> told.add("second " + fact.pool().pool())));

    /** Each pool after a write of the second address in place of the first one. */
    @ParameterizedTest
    @CsvSource({
        "10.0.0.2, SUCCEEDED, false",
        "10.0.0.1, SUCCEEDED, false",
        "10.0.0.3, SUCCEEDED, true",
        "10.0.0.3, UPDATING, false",
        "10.0.0.3, FAILED, false"
    })
    void only_what_is_neither_new_nor_old_and_in_force_is_another_writers(
            String found, ProvisioningState state, boolean another) {
        PoolKey pool = PoolKey.of("lb", "p");
        AddressSet addresses = AddressSet.of(found);
        Plan plan = new Plan(pool, List.of(), AddressSet.of("10.0.0.1"), AddressSet.of("10.0.0.2"));
        Fact.Attempt attempt = new Fact.Attempt(pool, null);
        Reply<BackendPool> reply = Reply.ok(new BackendPool(pool, addresses, null, null, state, Optional.empty()));
        assertThat(new Fact.WriteEnded(attempt, plan, reply).overwritten())
                .isEqualTo(another ? Optional.of(addresses) : Optional.empty());
        Reply<BackendPool> failed = Reply.failed(new Failure.Cancelled("too late"));
        assertThat(new Fact.WriteEnded(attempt, plan, failed).overwritten()).isEmpty();
    }

    private static Fact fact(int number) {
        return new Fact.RetryRefused(PoolKey.of("lb", "p" + number));
    }

    @Test
    @Rule(
            id = "J43",
            says = "What happens to pools is published once, as values: each subscriber receives every fact, in the"
                    + " order of publication, from one thread at a time.",
            source = "DESIGN, section 3")
    void each_subscriber_is_told_in_order() {
        facts.publish(fact(1));
        facts.publish(fact(2));
        assertThat(told).containsExactly("first p1", "second p1", "first p2", "second p2");
    }

    @Test
    void what_is_appended_waits_for_the_next_delivery() {
        facts.append(fact(1));
        assertThat(told).isEmpty();
        facts.publish(fact(2));
        assertThat(told).containsExactly("first p1", "second p1", "first p2", "second p2");
    }

    @Test
    void what_a_subscriber_publishes_is_delivered_after_the_present_fact() {
        first = fact -> {
            first = other -> {};
            facts.publish(fact(2));
        };
        facts.publish(fact(1));
        assertThat(told).containsExactly("first p1", "second p1", "first p2", "second p2");
    }

    @Test
    void what_another_thread_publishes_meanwhile_is_delivered_by_the_first_one() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch published = new CountDownLatch(1);
        first = fact -> {
            begun.countDown();
            await(published);
        };
        Thread slow = Thread.ofVirtual().start(() -> facts.publish(fact(1)));
        begun.await();
        facts.publish(fact(2)); // returns at once
        published.countDown();
        slow.join();
        assertThat(told).containsExactly("first p1", "second p1", "first p2", "second p2");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void an_error_of_a_subscriber_ends_no_later_delivery() {
        first = fact -> {
            first = other -> {};
            throw new StackOverflowError("planted");
        };
        assertThatThrownBy(() -> facts.publish(fact(1))).isInstanceOf(StackOverflowError.class);
        facts.publish(fact(2));
        assertThat(told).containsExactly("first p1", "first p2", "second p2");
    }
}
