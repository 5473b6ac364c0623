package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.PoolKey;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class LaneTest {

    private final Lane lane = new Lane(null, new ReentrantLock());

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
        assertThat(lane.releaseUnlessRequested()).isTrue();
    }
}
