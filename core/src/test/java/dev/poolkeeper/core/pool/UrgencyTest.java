package dev.poolkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class UrgencyTest {

    private static Urgency of(String pool, int since, boolean isOutage, long missing, long wanted) {
        return new Urgency(PoolKey.of("lb-1", pool), Instant.ofEpochSecond(since), isOutage, missing, wanted);
    }

    /** Each differs from the next for one reason. */
    @Test
    void pools_are_ordered_by_overdue_age_outage_share_age_and_name() {
        List<Urgency> inOrder = List.of(
                of("z", 1, false, 1, 9),
                of("a", 2, true, 3, 3),
                of("b", 2, false, 3, 4),
                of("c", 9, true, 1, 1),
                of("d", 9, false, 2, 3),
                of("e", 8, false, 4, 8),
                of("f", 9, false, 1, 2),
                of("g", 9, false, 1, 2),
                of("h", 6, false, 0, 0));
        Comparator<Urgency> order = Urgency.order(Instant.ofEpochSecond(3));
        for (int i = 0; i < inOrder.size(); i++) {
            for (int j = 0; j < inOrder.size(); j++) {
                assertThat(Integer.signum(order.compare(inOrder.get(i), inOrder.get(j))))
                        .as("%s and %s", inOrder.get(i), inOrder.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }
}
