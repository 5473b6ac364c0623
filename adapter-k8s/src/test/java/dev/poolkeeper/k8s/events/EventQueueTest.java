package dev.poolkeeper.k8s.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.events.EventQueue.Turn;
import dev.poolkeeper.k8s.events.EventQueue.Waiting;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

    private static String take(EventQueue queue, long now) {
        return queue.next(now)
                .map(turn -> {
                    String namespace = turn.first().event().service().namespace();
                    queue.done(turn);
                    return namespace;
                })
                .orElse("");
    }

    @Test
    void after_events_were_dropped_there_is_as_much_room_as_before() {
        EventQueue small = new EventQueue(2);
        for (int round = 0; round < 3; round++) {
            assertThat(Stream.of("shop", "shop", "bank", "bank")
                            .map(namespace -> small.add(of(namespace)))
                            .toList())
                    .containsExactly(true, true, false, false);
            assertThat(List.of(take(small, 0), take(small, 0), take(small, 0)))
                    .containsExactlyInAnyOrder("shop", "bank", "");
        }
    }

    @Test
    void namespaces_take_turns() {
        EventQueue large = new EventQueue(9);
        for (String namespace : List.of("a", "a", "a", "b", "b", "c")) {
            large.add(of(namespace));
        }
        assertThat(IntStream.range(0, 7).mapToObj(i -> take(large, 0)))
                .containsExactly("a", "b", "c", "a", "b", "a", "");
    }

    @Test
    void an_event_that_is_retried_delays_only_its_namespace_and_only_until_it_is_done() {
        // given
        FakeTime time = new FakeTime();
        EventQueue large = new EventQueue(9);
        for (String namespace : List.of("a", "a", "b", "b")) {
            large.add(of(namespace));
        }
        // when
        large.retry(large.next(time.nanoTime()).orElseThrow(), time.nanoTime(), Duration.ofSeconds(10));
        // then
        assertThat(large.untilNext(time)).contains(Duration.ZERO);
        large.retry(large.next(time.nanoTime()).orElseThrow(), time.nanoTime(), Duration.ofSeconds(30));
        assertThat(large.untilNext(time)).contains(Duration.ofSeconds(10));
        // when
        time.advance(Duration.ofSeconds(10));
        // then
        assertThat(IntStream.range(0, 3).mapToObj(i -> take(large, time.nanoTime())))
                .containsExactly("a", "a", "");
        assertThat(large.untilNext(time)).contains(Duration.ofSeconds(20));
    }

    @Test
    void if_the_api_server_does_not_answer_all_namespaces_wait() {
        FakeTime time = new FakeTime();
        EventQueue large = new EventQueue(9);
        for (String namespace : List.of("a", "b", "c")) {
            large.add(of(namespace));
        }
        large.next(time.nanoTime());
        large.retryAll(time.nanoTime(), Duration.ofSeconds(10));
        assertThat(large.next(time.nanoTime())).isEmpty();
        assertThat(large.untilNext(time)).contains(Duration.ofSeconds(10));
    }

    @Test
    void each_event_has_tries_of_its_own() {
        EventQueue large = new EventQueue(9);
        large.add(of("a"));
        large.add(of("a"));
        EventQueue.Turn turn = large.next(0).orElseThrow();
        turn.failures = 11;
        large.retry(turn, 0, Duration.ofSeconds(10));
        large.done(turn);
        assertThat(large.next(0)).hasValueSatisfying(second -> {
            assertThat(second.failures).isZero();
            assertThat(second.inProgress).isNull();
        });
    }
}
