package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Only the call in progress is interrupted. */
class InterruptibleCallTest {

    private static final Instant NOW = FakeTime.START;

    private final InterruptibleCall calls = new InterruptibleCall();
    private final Term term = Term.untilEnded();

    @AfterEach
    void clearInterruption() {
        Thread.interrupted();
    }

    @Test
    void only_a_call_that_is_old_enough_is_interrupted() {
        calls.call(NOW, term::isCurrent, () -> {
            calls.interrupt(NOW.plusSeconds(4), Duration.ofSeconds(5));
            assertThat(Thread.currentThread().isInterrupted()).as("too young").isFalse();
            calls.interrupt(NOW.plusSeconds(5), Duration.ofSeconds(5));
            assertThat(Thread.currentThread().isInterrupted()).as("old enough").isTrue();
            return Reply.ok("answer");
        });
    }

    @Test
    void a_call_that_throws_has_failed_and_is_not_interrupted_afterwards() {
        Reply<String> reply = calls.call(NOW, term::isCurrent, () -> {
            throw new IllegalStateException("broken");
        });
        assertThat(reply)
                .isEqualTo(Reply.failed(Failure.Other.terminal("unexpected java.lang.IllegalStateException: broken")));
        calls.interrupt(NOW, Duration.ZERO);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void an_interruption_of_a_call_ends_with_the_call() {
        calls.call(NOW, term::isCurrent, () -> {
            calls.interrupt(NOW, Duration.ZERO);
            return Reply.ok("answer");
        });

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void an_interruption_from_before_the_call_stays() {
        Thread.currentThread().interrupt();

        calls.call(NOW, term::isCurrent, () -> {
            calls.interrupt(NOW, Duration.ZERO);
            return Reply.ok("answer");
        });

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void an_interruption_during_the_call_that_the_lane_did_not_cause_stays() {
        calls.call(NOW, term::isCurrent, () -> {
            Thread.currentThread().interrupt();
            return Reply.ok("answer");
        });

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void without_a_call_nothing_is_interrupted() {
        calls.interrupt(NOW, Duration.ZERO);
        calls.call(NOW, term::isCurrent, () -> Reply.ok("answer"));
        calls.interrupt(NOW, Duration.ZERO);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void no_call_starts_once_the_term_has_ended() {
        List<String> made = new ArrayList<>();
        term.end();

        Reply<String> reply = calls.call(NOW, term::isCurrent, () -> {
            made.add("call");
            return Reply.ok("answer");
        });

        assertThat(made).isEmpty();
        assertThat(reply).isInstanceOf(Reply.Failed.class);
    }
}
