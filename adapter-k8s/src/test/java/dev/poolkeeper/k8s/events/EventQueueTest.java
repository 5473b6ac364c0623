package dev.poolkeeper.k8s.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.k8s.events.EventQueue.Turn;
import dev.poolkeeper.k8s.events.EventQueue.Waiting;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private final EventQueue queue = new EventQueue(1);

    private static Waiting of(String namespace) {
        return new Waiting(
                new ServiceEvent(
                        new ServiceName(namespace, "web"),
                        PoolKey.of("lb", "pool"),
                        ServiceEvent.Reason.RETRYING,
                        "HTTP 409"),
                Instant.EPOCH);
    }

    @Test
    void a_full_queue_never_drops_the_event_that_is_being_written() {
        // given
        Waiting first = of("shop");
        queue.add(first);
        Turn writing = queue.next(0).orElseThrow();
        // when
        boolean hasRoom = queue.add(of("tenant"));
        // then
        assertThat(hasRoom).isFalse();
        assertThat(writing.first()).isEqualTo(first);
        queue.done(writing);
        assertThat(queue.next(0)).isEmpty();
    }
}
