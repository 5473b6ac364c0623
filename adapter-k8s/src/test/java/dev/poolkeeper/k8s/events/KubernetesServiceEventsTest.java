package dev.poolkeeper.k8s.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.contract.ServiceEventsContract;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("real-cluster")
class KubernetesServiceEventsTest implements ServiceEventsContract {

    /** Room for one event of each reason. */
    private static final int QUEUE = ServiceEvent.Reason.values().length;

    private String uid = "uid-of-web";
    private final FakeTime time = new FakeTime();
    private final TestCluster cluster = new TestCluster();
    private final KubernetesServiceEvents events =
            new KubernetesServiceEvents(cluster.client(), settings(QUEUE), time, name -> Optional.of(uid));

    private static EventSettings settings(int queueSize) {
        return new EventSettings("poolkeeper-0", queueSize, 3, Duration.ofSeconds(10));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** The contract's namespace is ours here. */
    @Override
    public ServiceEvents events() {
        return event -> events.emit(new ServiceEvent(
                new ServiceName(cluster.namespace(), event.service().name()),
                event.pool(),
                event.reason(),
                event.message(),
                event.note(),
                event.cause()));
    }

    private List<Event> written() {
        time.runDue();
        return cluster.client().events().v1().events().inNamespace(cluster.namespace()).list().getItems().stream()
                .sorted(Comparator.comparing(event -> event.getMetadata().getName()))
                .toList();
    }

    @Override
    public List<String> arrived() {
        return written().stream()
                .map(event -> "%s %s shop/%s: %s"
                        .formatted(
                                event.getType(),
                                event.getReason(),
                                event.getRegarding().getName(),
                                event.getNote()))
                .toList();
    }

    private void emit(String message) {
        emit(message, message);
    }

    private void emit(String message, String note) {
        events().emit(new ServiceEvent(
                EVENT.service(),
                PoolKey.of("lb-1", "shop-web"),
                ServiceEvent.Reason.UPDATED,
                message,
                note,
                new ServiceEvent.Cause.Plain()));
    }

    @Test
    void an_event_names_its_service_with_uid_and_its_reporter() {
        emit("done");

        assertThat(written()).singleElement().satisfies(event -> {
            assertThat(event.getRegarding().getKind()).isEqualTo("Service");
            assertThat(event.getRegarding().getUid()).isEqualTo("uid-of-web");
            assertThat(event.getReportingController()).isEqualTo("poolkeeper.dev/backend-pool-updater");
            assertThat(event.getReportingInstance()).isEqualTo("poolkeeper-0");
            assertThat(event.getAction()).isEqualTo("UpdateBackendPool");
            assertThat(event.getSeries()).isNull();
        });
    }

    @Test
    void kubectl_describe_finds_it_under_the_core_api() {
        emit("done");
        time.runDue();

        assertThat(cluster.client()
                        .v1()
                        .events()
                        .inNamespace(cluster.namespace())
                        .withField("involvedObject.name", "web")
                        .withField("involvedObject.uid", "uid-of-web")
                        .list()
                        .getItems())
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).isEqualTo("done"));
    }

    @Test
    void a_repeated_event_increments_the_series_of_the_first() {
        emit("done");
        emit("done");
        time.runDue();
        emit("done");

        assertThat(written())
                .singleElement()
                .satisfies(event -> assertThat(event.getSeries().getCount()).isEqualTo(3));
    }

    @Test
    @Rule(
            id = "V9",
            says = "Events about a recreated Service have the new uid, so that kubectl describe shows them.",
            source = "ours")
    void a_recreated_service_has_its_own_events() {
        // given
        emit("done");
        written();
        // when
        uid = "uid-after";
        emit("done");
        // then
        assertThat(written().stream().map(event -> event.getRegarding().getUid()))
                .containsExactly("uid-of-web", "uid-after");
    }

    @Test
    @Rule(
            id = "V10",
            says = "Equal failures of a pool are one Event with a count: its note omits ids and times; the annotation"
                    + " poolkeeper.dev/message has the last message in full, poolkeeper.dev/pool the load balancer and"
                    + " the pool.",
            source = "ours")
    void equal_failures_share_one_event_with_the_last_message_as_an_annotation() {
        // given
        String message = "HTTP 409 Conflict (trace-%d). Retrying not before 2026-03-01T12:00:%02dZ.";
        // when
        for (int i = 0; i < 12; i++) {
            emit(message.formatted(i, i), "HTTP 409 Conflict. Retrying when throttling by Azure ends.");
            time.runDue();
        }
        // then
        assertThat(written()).singleElement().satisfies(event -> {
            assertThat(event.getNote()).isEqualTo("HTTP 409 Conflict. Retrying when throttling by Azure ends.");
            assertThat(event.getSeries().getCount()).isEqualTo(12);
            assertThat(event.getMetadata().getAnnotations())
                    .containsEntry("poolkeeper.dev/message", message.formatted(11, 11))
                    .containsEntry("poolkeeper.dev/pool", "lb-1/shop-web");
        });
    }

    @Test
    void events_survive_an_unreachable_api_server() {
        cluster.emulator().stop();
        emit("done");
        time.advance(Duration.ofSeconds(15));
        assertThat(events.dropped()).isZero();

        cluster.emulator().startAgain();
        time.advance(Duration.ofSeconds(10));

        assertThat(written()).hasSize(1);
    }

    @Test
    void series_counts_survive_an_unreachable_api_server() {
        emit("done");
        written();
        cluster.emulator().stop();
        emit("done");
        time.advance(Duration.ofSeconds(15));
        cluster.emulator().startAgain();
        time.advance(Duration.ofSeconds(10));

        assertThat(written())
                .singleElement()
                .satisfies(event -> assertThat(event.getSeries().getCount()).isEqualTo(2));
    }

    @Test
    void a_repeated_event_whose_first_one_is_gone_is_written_again() {
        emit("done");
        emit("done");
        written().forEach(event -> cluster.client().resource(event).delete());
        emit("done");
        assertThat(written())
                .singleElement()
                .satisfies(event -> assertThat(event.getSeries()).isNull());

        emit("done");
        assertThat(written())
                .singleElement()
                .satisfies(event -> assertThat(event.getSeries().getCount()).isEqualTo(2));
    }

    @Test
    void emitting_never_blocks_and_a_full_queue_drops_the_event() {
        for (int i = 0; i < QUEUE + 2; i++) {
            emit("m" + i);
        }

        assertThat(events.written()).isZero();
        assertThat(events.dropped()).isEqualTo(2);
        assertThat(written()).hasSize(QUEUE);
    }

    @Test
    void an_api_server_that_forbids_everything_while_it_starts_gets_the_event_later() {
        cluster.emulator().faults().deny(request -> request.resource().equals("events"));
        emit("first");
        emit("second");
        time.advance(Duration.ofSeconds(15));
        cluster.emulator().faults().clear();
        time.advance(Duration.ofSeconds(10));

        assertBothArrived();
    }

    @Test
    void a_missing_permission_drops_the_event_after_some_time_and_further_ones_at_once() {
        cluster.emulator().faults().deny(request -> request.resource().equals("events"));
        emit("first");
        time.advance(Duration.ofMinutes(5));
        assertThat(events.dropped()).isEqualTo(1);

        emit("second");
        time.runDue();
        assertThat(events.dropped()).isEqualTo(2);

        cluster.emulator().faults().clear();
        emit("third");
        assertThat(arrived()).containsExactly("Normal LoadBalancerBackendPoolUpdated shop/web: third");
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 429, 500, 503})
    @Rule(
            id = "E15",
            says = "Events of one namespace that the API server refuses delay and displace no Event of another.",
            source = "ours")
    void refused_events_of_one_namespace_delay_no_other(int status) {
        cluster.emulator()
                .faults()
                .fail(
                        request -> request.namespace().equals("bank")
                                && request.verb().equals("create"),
                        status,
                        99);
        for (int i = 0; i < QUEUE + 5; i++) {
            events.emit(new ServiceEvent(
                    new ServiceName("bank", "web" + i), EVENT.pool(), ServiceEvent.Reason.FAILED, "no"));
        }
        emit("first");
        emit("second");

        assertThat(arrived())
                .containsExactly(
                        "Normal LoadBalancerBackendPoolUpdated shop/web: first",
                        "Normal LoadBalancerBackendPoolUpdated shop/web: second");
    }

    @Test
    void the_texts_of_an_event_are_safe() {
        emit(HostileText.SHORT);
        emit(HostileText.ALL);

        assertThat(written()).hasSize(2).allSatisfy(event -> {
            HostileText.assertSafe(event.getNote());
            HostileText.assertSafe(event.getMetadata().getAnnotations().get("poolkeeper.dev/message"));
        });
    }

    private void assertBothArrived() {
        assertThat(arrived())
                .containsExactly(
                        "Normal LoadBalancerBackendPoolUpdated shop/web: first",
                        "Normal LoadBalancerBackendPoolUpdated shop/web: second");
        assertThat(events.dropped()).isZero();
    }

    @Test
    void a_transient_failure_is_retried_in_order() {
        cluster.emulator().faults().fail(request -> request.verb().equals("create"), 500, 2);
        emit("first");
        emit("second");
        time.advance(Duration.ofSeconds(20));

        assertBothArrived();
    }

    @Test
    void an_event_that_fails_too_often_is_dropped_and_the_next_one_is_written() {
        cluster.emulator().faults().fail(request -> request.verb().equals("create"), 500, 3);
        emit("first");
        emit("second");
        time.advance(Duration.ofSeconds(30));

        assertThat(arrived()).containsExactly("Normal LoadBalancerBackendPoolUpdated shop/web: second");
        assertThat(events.dropped()).isEqualTo(1);
    }

    @Test
    void the_failures_of_one_event_do_not_count_for_the_next() {
        for (String message : List.of("first", "second")) {
            cluster.emulator().faults().fail(request -> request.verb().equals("create"), 500, 2);
            emit(message);
            time.advance(Duration.ofSeconds(20));
        }

        assertBothArrived();
    }

    @Test
    void a_failed_uid_lookup_drops_only_its_event() {
        KubernetesServiceEvents fragile = new KubernetesServiceEvents(cluster.client(), settings(3), time, name -> {
            if (name.name().equals("bad")) {
                throw new IllegalStateException("no uid");
            }
            return Optional.empty();
        });
        for (String name : List.of("bad", "good")) {
            fragile.emit(new ServiceEvent(
                    new ServiceName(cluster.namespace(), name), EVENT.pool(), ServiceEvent.Reason.FAILED, "so it is"));
        }

        assertThat(arrived()).containsExactly("Warning LoadBalancerBackendPoolUpdateFailed shop/good: so it is");
        assertThat(fragile.dropped()).isEqualTo(1);
    }

    @Test
    void an_error_while_one_event_is_written_does_not_end_all_later_ones() {
        AtomicBoolean broken = new AtomicBoolean(true);
        KubernetesServiceEvents breaking =
                new KubernetesServiceEvents(cluster.client(), settings(QUEUE), time, name -> {
                    if (broken.get()) {
                        throw new StackOverflowError("planted");
                    }
                    return Optional.of(uid);
                });
        ServiceEvent event = new ServiceEvent(
                new ServiceName(cluster.namespace(), "web"),
                PoolKey.of("lb-1", "shop-web"),
                ServiceEvent.Reason.UPDATED,
                "done");
        breaking.emit(event);
        assertThatThrownBy(time::runDue).hasMessage("planted");

        broken.set(false);
        breaking.emit(event);

        assertThat(written()).hasSize(1);
        assertThat(breaking.written()).isEqualTo(2);
    }

    private void fail(int status, int times) {
        cluster.emulator().faults().fail(request -> request.resource().equals("events"), status, times);
    }

    private void waitForRetries() {
        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofSeconds(10));
            time.runDue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 429, 500, 502, 503, 504})
    void each_event_has_all_its_tries(int status) {
        AtomicInteger sent = new AtomicInteger();
        cluster.emulator()
                .faults()
                .fail(request -> request.resource().equals("events") && sent.incrementAndGet() % 3 != 0, status, 4);
        emit("one");
        emit("two");
        time.runDue();
        waitForRetries();
        waitForRetries();
        assertThat(events.dropped()).isZero();
        assertThat(written()).extracting(Event::getNote).containsExactly("one", "two");
    }

    @Test
    void after_an_event_was_written_a_403_is_tried_again() {
        fail(403, 3);
        emit("lost");
        time.runDue();
        waitForRetries();
        assertThat(events.dropped()).isEqualTo(1);
        emit("written");
        time.runDue();
        fail(403, 1);
        emit("written later");
        time.runDue();
        waitForRetries();
        assertThat(written()).extracting(Event::getNote).containsExactly("written", "written later");
    }

    @Test
    void an_unknown_uid_is_left_out() {
        uid = "";
        emit("done");
        assertThat(written())
                .singleElement()
                .satisfies(event -> assertThat(event.getRegarding().getUid()).isNull());
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 405, 409, 410, 413, 415, 422})
    void an_event_that_is_refused_for_good_is_dropped_at_once(int status) {
        fail(status, 1);
        emit("refused");
        emit("next");

        assertThat(written()).extracting(Event::getNote).containsExactly("next");
        assertThat(events.dropped()).isEqualTo(1);
        assertThat(events.written()).isEqualTo(1);
    }

    @Test
    void while_the_api_server_does_not_answer_one_event_is_tried_for_all_namespaces() {
        cluster.emulator().faults().drop(request -> request.resource().equals("events"));
        emit("first");
        for (String namespace : List.of("bank", "club")) {
            events.emit(new ServiceEvent(
                    new ServiceName(namespace, "web"), EVENT.pool(), ServiceEvent.Reason.FAILED, "no"));
        }
        time.runDue();

        assertThat(cluster.emulator().requests())
                .filteredOn(request ->
                        request.verb().equals("create") && request.resource().equals("events"))
                .extracting(request -> request.namespace())
                .containsOnly(cluster.namespace());
    }

    @Test
    void an_event_has_the_time_at_which_it_happened() {
        fail(503, 1);
        emit("done");
        time.advance(Duration.ofSeconds(10));
        assertThat(written()).singleElement().satisfies(event -> {
            assertThat(event.getEventTime().getTime()).isEqualTo("2026-03-01T12:00:00.000000Z");
            assertThat(event.getRegarding().getApiVersion()).isEqualTo("v1");
            assertThat(event.getRegarding().getNamespace()).isEqualTo(cluster.namespace());
        });

        time.advance(Duration.ofNanos(1_234_567));
        fail(503, 1);
        emit("done");
        time.advance(Duration.ofSeconds(10));
        assertThat(written()).singleElement().satisfies(event -> {
            assertThat(event.getEventTime().getTime()).isEqualTo("2026-03-01T12:00:00.000000Z");
            assertThat(event.getSeries().getLastObservedTime().getTime()).isEqualTo("2026-03-01T12:00:10.001234Z");
        });
    }

    @Test
    void each_event_is_counted_as_written_dropped_or_suppressed() {
        for (int i = 0; i < 27; i++) {
            emit("done");
            time.runDue();
        }
        fail(422, 1);
        events.emit(new ServiceEvent(
                new ServiceName(cluster.namespace(), "api"), EVENT.pool(), ServiceEvent.Reason.FAILED, "no"));
        time.runDue();

        assertThat(List.of(events.written(), events.suppressed(), events.dropped()))
                .containsExactly(25L, 2L, 1L);
    }
}
