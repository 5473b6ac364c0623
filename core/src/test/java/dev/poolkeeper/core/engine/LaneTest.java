package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Only the call in progress is interrupted. */
class LaneTest {

    private static final Instant NOW = FakeTime.START;

    private final Lane lane = new Lane(null, new ReentrantLock());
    private final Term term = Term.untilEnded();

    @AfterEach
    void clearInterruption() {
        Thread.interrupted();
    }

    @Test
    void only_a_call_that_is_old_enough_is_interrupted() {
        lane.call(NOW, term, () -> {
            lane.interruptCall(NOW.plusSeconds(4), Duration.ofSeconds(5));
            assertThat(Thread.currentThread().isInterrupted()).as("too young").isFalse();
            lane.interruptCall(NOW.plusSeconds(5), Duration.ofSeconds(5));
            assertThat(Thread.currentThread().isInterrupted()).as("old enough").isTrue();
            return Reply.ok("answer");
        });
    }

    @Test
    void listed_pools_that_are_not_due_are_passed_over() {
        // given
        PoolKey parked = PoolKey.of("lb-1", "parked");
        PoolKey due = PoolKey.of("lb-1", "due");
        lane.list(parked);
        lane.list(due);
        // when, then
        assertThat(lane.hasListed(due::equals)).isTrue();
        assertThat(lane.takeListed()).contains(due);
        assertThat(lane.takeListed()).isEmpty();
    }

    @Test
    void a_lane_that_failed_forgets_that_it_was_called() {
        assertThat(lane.tryStart()).isTrue();
        assertThat(lane.tryStart()).isFalse();
        lane.end();
        assertThat(lane.isBusy()).isFalse();
        assertThat(lane.tryStart()).isTrue();
        assertThat(lane.endUnlessCalled()).isTrue();
    }

    @Test
    void a_call_that_throws_is_not_interrupted_afterwards() {
        assertThatThrownBy(() -> lane.call(NOW, term, () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessage("broken");
        lane.interruptCall(NOW, Duration.ZERO);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void an_interruption_of_a_call_ends_with_the_call() {
        lane.call(NOW, term, () -> {
            lane.interruptCall(NOW, Duration.ZERO);
            return Reply.ok("answer");
        });

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void an_interruption_from_before_the_call_stays() {
        Thread.currentThread().interrupt();

        lane.call(NOW, term, () -> {
            lane.interruptCall(NOW, Duration.ZERO);
            return Reply.ok("answer");
        });

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void an_interruption_during_the_call_that_the_lane_did_not_cause_stays() {
        lane.call(NOW, term, () -> {
            Thread.currentThread().interrupt();
            return Reply.ok("answer");
        });

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void without_a_call_nothing_is_interrupted() {
        lane.interruptCall(NOW, Duration.ZERO);
        lane.call(NOW, term, () -> Reply.ok("answer"));
        lane.interruptCall(NOW, Duration.ZERO);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void no_call_starts_once_the_term_has_ended() {
        List<String> calls = new ArrayList<>();
        term.end();

        Reply<String> reply = lane.call(NOW, term, () -> {
            calls.add("call");
            return Reply.ok("answer");
        });

        assertThat(calls).isEmpty();
        assertThat(reply).isInstanceOf(Reply.Failed.class);
    }
}
