package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Term;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Terms that follow each other in any way, and when an engine may begin at all. */
class TermsTest {

    private final EngineFixture the = new EngineFixture();

    private void web() {
        the.pool("web", 9);
        the.service("web", 1);
    }

    @Test
    @Rule(
            id = "K20",
            says = "A new term as leader is taken up whatever became of the last one; a term that is over when it is"
                    + " reported never starts.",
            source = "ours")
    void a_new_term_is_taken_up_although_the_last_one_was_never_stopped() {
        // given
        AtomicBoolean first = new AtomicBoolean(true);
        the.engine.startLeading(Term.during(first::get));
        web();
        // when: the first one ends without a call, and another one begins
        first.set(false);
        the.engine.startLeading(Term.untilEnded());
        the.tick();
        // then
        assertThat(the.engine.isServing()).isTrue();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_term_that_is_over_never_starts() {
        web();

        the.engine.startLeading(Term.during(() -> false));
        the.tick();

        assertThat(the.engine.status().leading()).isFalse();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(9));
    }

    @Test
    void a_term_that_two_threads_report_at_once_begins_once() {
        // given: the other thread is through while this one asks whether the term is over
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Term[] term = new Term[1];
        term[0] = Term.during(() -> {
            if (isFirst.getAndSet(false)) {
                the.engine.startLeading(term[0]);
            }
            return true;
        });
        // when
        the.engine.startLeading(term[0]);
        web();
        the.tick();
        // then: none ended the other's
        assertThat(term[0].isCurrent()).isTrue();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_term_that_is_over_does_not_end_the_current_one() {
        web();
        the.lead();

        the.engine.startLeading(Term.during(() -> false));
        the.tick();

        assertThat(the.engine.isServing()).isTrue();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_term_that_another_one_replaces_is_over() {
        Term first = Term.untilEnded();
        the.engine.startLeading(first);

        the.engine.startLeading(Term.untilEnded());

        assertThat(first.isCurrent()).isFalse();
    }

    @Test
    void an_engine_cannot_be_built_without_being_told_when_its_view_has_synced() {
        FakeTime time = new FakeTime();
        FakeCloud cloud = new FakeCloud(time);
        EngineBuilder builder = Engine.builder(new EndpointIndex(time), cloud, cloud, time);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("hasSynced(...) is required");
        assertThat(builder.hasSynced(() -> true).build()).isNotNull();
    }

    @Test
    void shutdown_now_interrupts_the_calls_in_progress_also_after_a_shutdown() {
        assertThat(interruptedBy(the.engine::shutdownNow)).isTrue();
    }

    @Test
    @Rule(
            id = "K21",
            says = "shutdownNow interrupts every call in progress: after shutdown, of an earlier term, and a listing.",
            source = "ours")
    void shutdown_now_after_shutdown_interrupts_too() {
        assertThat(interruptedBy(() -> {
                    the.engine.shutdown();
                    the.engine.shutdownNow();
                }))
                .isTrue();
    }

    @Test
    void shutdown_now_interrupts_the_call_of_an_earlier_term() {
        assertThat(interruptedBy(() -> {
                    the.engine.stopLeading();
                    the.lead();
                    the.engine.shutdownNow();
                }))
                .isTrue();
    }

    @Test
    void shutdown_alone_interrupts_nothing() {
        assertThat(interruptedBy(the.engine::shutdown)).isFalse();
    }

    private boolean interruptedBy(Runnable action) {
        AtomicBoolean interrupted = new AtomicBoolean();
        web();
        the.lead();
        the.onRead = () -> {
            the.onRead = () -> {};
            action.run();
            interrupted.set(Thread.currentThread().isInterrupted());
        };
        the.tick();
        assertThat(Thread.interrupted()).as("not meant for this test").isFalse();
        return interrupted.get();
    }

    @Test
    void shutdown_now_interrupts_a_listing() {
        AtomicBoolean interrupted = new AtomicBoolean();
        the.onList = () -> {
            the.engine.shutdown();
            the.engine.shutdownNow();
            interrupted.set(Thread.currentThread().isInterrupted());
        };

        the.engine.listIfDue();

        assertThat(interrupted).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** As in the documentation: a listing that throws must not end the schedule. */
    @Test
    void a_scheduled_listing_goes_on_after_an_exception() throws Exception {
        web();
        the.lead();
        AtomicBoolean broken = new AtomicBoolean(true);
        the.onList = () -> {
            if (broken.get()) {
                throw new IllegalStateException("planted");
            }
        };
        try (ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1)) {
            executor.schedule(the.engine::listIfDue, 0, TimeUnit.SECONDS).get();
            broken.set(false);
        }
        assertThat(the.engine.status().listing().failure()).isPresent();
        the.tick();
        assertThat(the.held("web")).isEqualTo(AddressSet.of("10.0.0.1"));
    }
}
