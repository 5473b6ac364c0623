package dev.poolkeeper.k8s.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases are those of client-go's {@code events_cache_test.go}. */
class EventCorrelatorTest {

    private final EventCorrelator correlator = new EventCorrelator();
    private long now = 42;

    private Optional<EventCorrelator.Sighting> see(String service, String message) {
        return see(service, "uid", message);
    }

    private Optional<EventCorrelator.Sighting> see(String service, String uid, String message) {
        return see(service, uid, ServiceEvent.Reason.RETRYING, message);
    }

    private Optional<EventCorrelator.Sighting> see(
            String service, String uid, ServiceEvent.Reason reason, String message) {
        return see(service, PoolKey.of("lb", "pool"), uid, reason, message);
    }

    private Optional<EventCorrelator.Sighting> see(
            String service, PoolKey pool, String uid, ServiceEvent.Reason reason, String message) {
        return correlator.correlate(
                new ServiceEvent(new ServiceName("shop", service), pool, reason, message), uid, now);
    }

    @Test
    void a_repeated_event_increments_the_first_one() {
        EventCorrelator.Sighting first = see("web", "HTTP 409").orElseThrow();
        EventCorrelator.Sighting second = see("web", "HTTP 409").orElseThrow();

        assertThat(second).isSameAs(first);
        assertThat(second.count).isEqualTo(2);
    }

    @Test
    void a_different_service_or_message_is_a_different_event() {
        assertThat(see("web", "a").orElseThrow()).isNotSameAs(see("api", "a").orElseThrow());
        assertThat(see("web", "a").orElseThrow()).isNotSameAs(see("web", "b").orElseThrow());
    }

    @Test
    void the_pools_of_one_service_have_an_event_each() {
        ServiceEvent.Reason failed = ServiceEvent.Reason.FAILED;
        PoolKey six = PoolKey.of("lb", "pool-ipv6");
        EventCorrelator.Sighting first =
                see("web", PoolKey.of("lb", "pool"), "uid", failed, "a").orElseThrow();
        assertThat(see("web", six, "uid", failed, "a").orElseThrow()).isNotSameAs(first);
        assertThat(see("web", PoolKey.of("LB", "Pool"), "uid", failed, "a").orElseThrow())
                .isSameAs(first);
    }

    @Test
    void a_recreated_service_is_a_different_one() {
        for (int i = 0; i < 25; i++) {
            assertThat(see("web", "old", "a")).isPresent();
        }

        assertThat(see("web", "new", "a"))
                .hasValueSatisfying(sighting -> assertThat(sighting.count).isEqualTo(1));
    }

    @Test
    void ids_instants_and_waits_in_arms_messages_make_no_new_event() {
        String message = "HTTP 429 RetryableError: Operation Put (%s) is updating resource %s since"
                + " 2026-03-01T12:00:%02dZ. The call can be retried in %d seconds.";
        String one = "8f2b5c1e-0a4d-4a55-9d5e-0123456789ab";
        String another = "11111111-0a4d-4a55-9d5e-0123456789ab";

        EventCorrelator.Sighting first =
                see("web", message.formatted(one, one, 17, 14)).orElseThrow();
        EventCorrelator.Sighting second =
                see("web", message.formatted(another, another, 59, 9)).orElseThrow();

        assertThat(second).isSameAs(first);
        assertThat(first.note)
                .isEqualTo("HTTP 429 RetryableError: Operation Put is updating resource (id) since (time)."
                        + " The call can be retried later.");
    }

    @Test
    void events_with_the_same_note_are_the_same_whatever_their_messages() {
        ServiceName service = new ServiceName("shop", "web");
        PoolKey pool = PoolKey.of("lb", "pool");
        ServiceEvent.Reason reason = ServiceEvent.Reason.RETRYING;
        ServiceEvent.Cause plain = new ServiceEvent.Cause.Plain();

        EventCorrelator.Sighting first = correlator
                .correlate(new ServiceEvent(service, pool, reason, "HTTP 409 (trace-1)", "HTTP 409", plain), "uid", now)
                .orElseThrow();
        EventCorrelator.Sighting second = correlator
                .correlate(new ServiceEvent(service, pool, reason, "HTTP 409 (trace-2)", "HTTP 409", plain), "uid", now)
                .orElseThrow();

        assertThat(second).isSameAs(first);
    }

    @Test
    void subscription_ids_are_kept_in_notes() {
        String id = "8f2b5c1e-0a4d-4a55-9d5e-0123456789ab";

        assertThat(EventTexts.inCommon("no access to /subscriptions/" + id + "/resourceGroups/rg, request " + id))
                .isEqualTo("no access to /subscriptions/" + id + "/resourceGroups/rg, request (id)");
    }

    @Test
    void the_tenth_event_that_differs_only_in_its_message_stands_for_all_later_ones() {
        for (int i = 1; i < 10; i++) {
            assertThat(see("web", "m" + i).orElseThrow().note).isEqualTo("m" + i);
        }

        EventCorrelator.Sighting tenth = see("web", "m10").orElseThrow();
        EventCorrelator.Sighting eleventh = see("web", "m11").orElseThrow();

        assertThat(tenth.note).isEqualTo("(combined from similar events): m10");
        assertThat(eleventh).isSameAs(tenth);
        assertThat(eleventh.count).isEqualTo(2);
    }

    @Test
    void events_more_than_ten_minutes_apart_are_not_similar() {
        for (int i = 1; i < 10; i++) {
            see("web", "m" + i);
        }
        now += Duration.ofSeconds(601).toNanos();

        assertThat(see("web", "m10").orElseThrow().note).isEqualTo("m10");
    }

    @Test
    void a_service_emits_a_burst_of_25_events_then_one_every_five_minutes() {
        for (int i = 0; i < 25; i++) {
            assertThat(see("web", "same")).isPresent();
        }
        assertThat(see("web", "same")).isEmpty();
        assertThat(see("api", "same")).isPresent();
        now += Duration.ofSeconds(301).toNanos();

        assertThat(see("web", "same"))
                .hasValueSatisfying(sighting -> assertThat(sighting.count).isEqualTo(27));
        assertThat(see("web", "same")).isEmpty();
    }

    /** A Service of another namespace that shares the pool can be paused and resumed in a loop. */
    @Test
    void events_about_held_updates_use_up_no_others() {
        for (int i = 0; i < 25; i++) {
            assertThat(see("web", "uid", ServiceEvent.Reason.HELD, "paused")).isPresent();
        }
        assertThat(see("web", "uid", ServiceEvent.Reason.HELD, "paused")).isEmpty();
        for (ServiceEvent.Reason other : EnumSet.complementOf(EnumSet.of(ServiceEvent.Reason.HELD))) {
            assertThat(see("web", "uid", other, "m")).as(other.toString()).isPresent();
        }
    }

    @Test
    void at_most_4096_services_are_remembered() {
        for (int i = 0; i < 5000; i++) {
            see("s" + i, "m");
        }

        assertThat(correlator.remembered()).isEqualTo(4096);
    }

    @Test
    void a_note_is_truncated_at_1024_bytes() {
        assertThat(see("web", "x".repeat(1024)).orElseThrow().note).isEqualTo("x".repeat(1024));
        assertThat(see("web", "x".repeat(1025)).orElseThrow().note).isEqualTo("x".repeat(1021) + "...");
        String wide = see("web", "\u00e4\ud83d\ude00".repeat(300)).orElseThrow().note;
        assertThat(wide.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1018, 1024);
        assertThat(wide).endsWith("...").doesNotContain("?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"in 14 seconds", "in 1 second", "in 2 minutes", "after '14' seconds", "after 1 minute"})
    void every_form_of_a_wait_is_left_out_of_notes(String wait) {
        assertThat(EventTexts.inCommon("Retry " + wait + ".")).isEqualTo("Retry later.");
    }

    /** The ids are the same in all forms; a subscription's identifies it and stays. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        at 2026-03-01T12:00:17Z.                                   | at (time).
        at 2026-03-01T12:00:17.1234567Z.                           | at (time).
        at 2026-03-01T12:00:17+00:00.                              | at (time).
        at 2026-03-01T12:00:17.5-07:30.                            | at (time).
        at 2026-03-01 only                                         | at 2026-03-01 only
        request 8f2b5c1e-0a4d-4a55-9d5e-0123456789ab               | request (id)
        request 8F2B5C1E-0A4D-4A55-9D5E-0123456789AB               | request (id)
        request (8F2B5C1E-0A4D-4A55-9D5E-0123456789AB) failed      | request failed
        /subscriptions/8F2B5C1E-0A4D-4A55-9D5E-0123456789AB        | /subscriptions/8F2B5C1E-0A4D-4A55-9D5E-0123456789AB
        /Subscriptions/8f2b5c1e-0a4d-4a55-9d5e-0123456789ab        | /Subscriptions/8f2b5c1e-0a4d-4a55-9d5e-0123456789ab
        in 3 days                                                  | in 3 days
        """)
    void every_form_of_an_instant_and_of_an_id_is_left_out_of_notes(String text, String note) {
        assertThat(EventTexts.inCommon(text)).isEqualTo(note);
    }

    @Test
    void a_full_message_is_truncated_at_16_kib() {
        assertThat(EventTexts.message("x".repeat(16_384))).isEqualTo("x".repeat(16_384));
        assertThat(EventTexts.message("x".repeat(16_385))).isEqualTo("x".repeat(16_381) + "...");
    }

    @Test
    void events_are_similar_while_each_follows_within_ten_minutes_of_the_one_before() {
        for (int i = 1; i < 10; i++) {
            assertThat(see("web", "m" + i).orElseThrow().note).isEqualTo("m" + i);
            now += Duration.ofMinutes(10).toNanos();
        }
        assertThat(see("web", "m10").orElseThrow().note).isEqualTo("(combined from similar events): m10");
        assertThat(see("web", "m10").orElseThrow().note).isEqualTo("m10"); // one of the last nine: not another one
    }

    @Test
    void events_of_different_reasons_are_neither_the_same_nor_similar() {
        for (ServiceEvent.Reason reason : ServiceEvent.Reason.values()) {
            for (int i = 1; i < 6; i++) {
                EventCorrelator.Sighting seen =
                        see("web", "uid", reason, "m" + i).orElseThrow();
                assertThat(seen.note).isEqualTo("m" + i);
                assertThat(seen.count).isEqualTo(1);
            }
        }
    }

    @Test
    void after_a_quiet_day_a_service_has_a_burst_of_25_events_and_no_more() {
        assertThat(see("web", "same")).isPresent();
        now += Duration.ofDays(1).toNanos();
        for (int i = 0; i < 25; i++) {
            assertThat(see("web", "same")).isPresent();
        }
        assertThat(see("web", "same")).isEmpty();
    }
}
