package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class BoundedLanesTest {

    private final Queue<Runnable> started = new ArrayDeque<>();
    private final BoundedLanes lanes = new BoundedLanes(started::add, 2);
    private final List<String> ended = new ArrayList<>();

    @Test
    void further_lanes_wait_in_order_until_one_ends() {
        lanes.execute(() -> {
            ended.add("a");
            lanes.execute(() -> ended.add("a again"));
        });
        lanes.execute(() -> ended.add("b"));
        lanes.execute(() -> ended.add("c"));
        assertThat(started).hasSize(2);
        while (!started.isEmpty()) {
            started.remove().run();
            assertThat(started).hasSizeLessThanOrEqualTo(2);
        }
        assertThat(ended).containsExactly("a", "b", "c", "a again");
    }

    @Test
    void a_lane_that_fails_makes_room_too() {
        lanes.execute(() -> {
            throw new IllegalStateException("fails");
        });
        lanes.execute(() -> ended.add("b"));
        lanes.execute(() -> ended.add("c"));
        while (!started.isEmpty()) {
            try {
                started.remove().run();
            } catch (IllegalStateException e) {
                ended.add(e.getMessage());
            }
        }
        assertThat(ended).containsExactly("fails", "b", "c");
    }
}
