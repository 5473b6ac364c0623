package dev.poolkeeper.core.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FactsTest {

    private final List<String> told = new ArrayList<>();
    private Consumer<Fact> first = fact -> {};
    private final Facts facts = new Facts(List.of(
            fact -> {
                told.add("first " + fact.pool().pool());
                first.accept(fact);
            },
            fact -> told.add("second " + fact.pool().pool())));

    private static Fact fact(int number) {
        return new Fact.RetryRefused(PoolKey.of("lb", "p" + number));
    }

    private void publish(Fact fact) {
        facts.append(fact);
        facts.deliver();
    }

    @Test
    @Rule(
            id = "J43",
            says = "What happens to pools is published once, as values: each subscriber receives every fact, in the"
                    + " order of publication, from one thread at a time.",
            source = "DESIGN, section 3")
    void each_subscriber_is_told_in_order() {
        publish(fact(1));
        publish(fact(2));
        assertThat(told).containsExactly("first p1", "second p1", "first p2", "second p2");
    }

    @Test
    void what_is_appended_waits_for_the_next_delivery() {
        facts.append(fact(1));
        assertThat(told).isEmpty();
        publish(fact(2));
        assertThat(told).containsExactly("first p1", "second p1", "first p2", "second p2");
    }

    @Test
    void what_a_subscriber_publishes_is_delivered_after_the_present_fact() {
        first = fact -> {
            first = other -> {};
            publish(fact(2));
        };
        publish(fact(1));
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
        Thread slow = Thread.ofVirtual().start(() -> publish(fact(1)));
        begun.await();
        publish(fact(2)); // returns at once
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
        assertThatThrownBy(() -> publish(fact(1))).isInstanceOf(StackOverflowError.class);
        publish(fact(2));
        assertThat(told).containsExactly("first p1", "first p2", "second p2");
    }
}
