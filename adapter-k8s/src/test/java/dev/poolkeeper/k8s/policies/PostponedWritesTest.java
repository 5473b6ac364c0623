package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PostponedWritesTest {

    private static final Standing OLD = ProfileEventsTest.standing("poolkeeper", 1, "Conflicted", "one");
    private static final Standing NEW = ProfileEventsTest.standing("poolkeeper", 1, "Conflicted", "two");

    private final FakeTime time = new FakeTime();
    private final PostponedWrites postponed = new PostponedWrites(time);

    @Test
    void only_the_standing_that_failed_waits() {
        postponed.failed(OLD);
        assertThat(List.of(postponed.mustWait(OLD), postponed.mustWait(NEW))).containsExactly(true, false);
        time.advance(Duration.ofSeconds(1));
        assertThat(postponed.mustWait(OLD)).isFalse();
    }

    @Test
    void the_wait_doubles_and_a_success_resets_it() {
        postponed.failed(OLD);
        postponed.failed(OLD);
        assertThat(postponed.untilNext()).contains(Duration.ofSeconds(2));
        postponed.succeeded(OLD);
        assertThat(postponed.untilNext()).isEmpty();
        postponed.failed(OLD);
        assertThat(postponed.untilNext()).contains(Duration.ofSeconds(1));
    }

    @Test
    void the_wait_grows_to_a_minute_and_the_first_retry_counts() {
        Standing other = ProfileEventsTest.standing("another", 1, "Conflicted", "one");
        for (int i = 0; i < 10; i++) {
            postponed.failed(OLD);
        }
        assertThat(postponed.untilNext()).contains(Duration.ofMinutes(1));
        postponed.failed(other);
        assertThat(postponed.untilNext()).contains(Duration.ofSeconds(1));
        postponed.succeeded(other);
        assertThat(postponed.untilNext()).contains(Duration.ofMinutes(1));
    }

    @Test
    void an_object_that_is_gone_is_waited_for_no_more() {
        postponed.failed(OLD);
        postponed.retain(Set.of(OLD.object().id()));
        assertThat(postponed.untilNext()).isPresent();
        postponed.retain(Set.of());
        assertThat(postponed.untilNext()).isEmpty();
    }
}
