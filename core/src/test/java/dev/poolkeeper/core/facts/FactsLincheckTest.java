package dev.poolkeeper.core.facts;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.core.schedules.Schedules;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Lincheck explores the interleavings of two threads that publish. */
class FactsLincheckTest {

    @Test
    void every_fact_is_delivered_once_and_alone() {
        Schedules.options().actorsAfter(0).check(Published.class);
    }

    @Test
    void a_delivery_that_trusts_the_one_in_progress_is_detected() {
        assertThatThrownBy(
                        () -> Schedules.options().actorsAfter(0).iterations(20).check(LeftToTheOther.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** Receives one fact after another. */
    static final class Recorder implements Consumer<Fact> {

        final List<Fact> received = new ArrayList<>();
        volatile boolean receiving;
        volatile boolean overlapped;

        @Override
        public void accept(Fact fact) {
            overlapped |= receiving;
            receiving = true;
            received.add(fact);
            receiving = false;
        }
    }

    public static class Published {

        final Recorder recorder = new Recorder();
        final Facts facts = new Facts(List.of(recorder));
        private final List<Fact> first = new ArrayList<>();
        private final List<Fact> second = new ArrayList<>();

        @Operation(nonParallelGroup = "lane")
        public final void publish() {
            publish(first, "first-");
        }

        @Operation(nonParallelGroup = "watch")
        public final void append() {
            publish(second, "second-");
        }

        private void publish(List<Fact> own, String name) {
            Fact fact = new Fact.RetryRefused(PoolKey.of("lb", name + own.size()));
            own.add(fact);
            facts.append(fact);
            deliver();
        }

        void deliver() {
            facts.deliver();
        }

        @Validate
        public final void each_fact_was_received_in_order() {
            List<Fact> received = new ArrayList<>(recorder.received);
            received.removeAll(second);
            List<Fact> others = new ArrayList<>(recorder.received);
            others.removeAll(first);
            if (recorder.overlapped || !received.equals(first) || !others.equals(second)) {
                throw new IllegalStateException("received " + recorder.received);
            }
        }
    }

    /** The planted fault: what is appended when the other thread has just finished is not delivered. */
    public static final class LeftToTheOther extends Published {

        private volatile boolean delivering;

        @Override
        void deliver() {
            if (!delivering) {
                delivering = true;
                facts.deliver();
                delivering = false;
            }
        }
    }
}
