package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Equal failures have equal notes, regardless of correlation ids and times. */
class EventNotesTest {

    private int calls;

    private UpdateFixture failing(int maxRetries, Supplier<Failure> failure) {
        BackendPools pools = new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                return Reply.failed(failure.get());
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                throw new AssertionError("no read succeeds");
            }
        };
        UpdateFixture f = new UpdateFixture(
                EngineSettings.REFERENCE.withMaxRetries(maxRetries), UnaryOperator.identity(), ignored -> pools);
        f.want(WEB, POOL, "10.0.0.4");
        f.tick();
        return f;
    }

    /** A different correlation id for each call. */
    private Failure answer(int status, String code, @Nullable Instant retryAfter) {
        return Failure.ofStatus(status, retryAfter, new ArmError(status, code, "Try again.", "correlation-" + ++calls));
    }

    private static ServiceEvent only(UpdateFixture f) {
        assertThat(f.events.events()).hasSize(1);
        return f.events.events().get(0);
    }

    @Test
    @Rule(
            id = "M6",
            says = "An Event's note omits correlation ids and times, so that equal failures have equal notes; the"
                    + " message contains them.",
            source = "contract, Messages")
    void the_note_of_a_retry_has_neither_correlation_id_nor_instant() {
        Instant eligibleAt = Instant.parse("2026-03-01T12:05:00Z");

        ServiceEvent event = only(failing(3, () -> answer(429, "TooManyRequests", eligibleAt)));

        assertThat(event.message())
                .isEqualTo("Backend pool update failed (attempt 1 of 4): HTTP 429 TooManyRequests: Try again."
                        + " (correlation-1). Retrying not before 2026-03-01T12:05:00Z.");
        assertThat(event.note())
                .isEqualTo("Backend pool update failed (attempt 1 of 4): HTTP 429 TooManyRequests: Try again. Retrying"
                        + " when throttling by Azure ends.");
    }

    @Test
    void a_note_about_a_retry_names_the_next_tick() {
        ServiceEvent event = only(failing(3, () -> answer(409, "Conflict", null)));

        assertThat(event.note())
                .isEqualTo("Backend pool update failed (attempt 1 of 4): HTTP 409 Conflict: Try again. Retrying on the"
                        + " next update.");
    }

    @Test
    void a_note_about_a_terminal_failure_has_no_correlation_id() {
        ServiceEvent event = only(failing(3, () -> answer(400, "InvalidRequest", null)));

        assertThat(event.message()).contains("(correlation-1)");
        assertThat(event.note())
                .isEqualTo("Backend pool update failed (non-retriable): HTTP 400 InvalidRequest: Try again.");
    }

    @Test
    void a_note_about_exhausted_retries_has_no_correlation_id() {
        ServiceEvent event = only(failing(0, () -> answer(409, "Conflict", null)));

        assertThat(event.message()).contains("(correlation-1)");
        assertThat(event.note())
                .isEqualTo("Backend pool update failed after 0 retries: HTTP 409 Conflict: Try again. To retrigger,"
                        + " cause an endpoint change for the Service (e.g., restart or scale a backing pod).");
    }

    @Test
    void the_cause_of_a_retry_has_its_number_and_when_the_next_may_begin() {
        Instant eligibleAt = Instant.parse("2026-03-01T12:05:00Z");

        ServiceEvent event = only(failing(3, () -> answer(429, "TooManyRequests", eligibleAt)));

        assertThat(event.cause()).isInstanceOfSatisfying(ServiceEvent.Cause.Attempt.class, attempt -> {
            assertThat(attempt.number()).isEqualTo(1);
            assertThat(attempt.bound()).isEqualTo(4);
            assertThat(attempt.failure()).isInstanceOf(Failure.Throttled.class);
            assertThat(attempt.notBefore()).contains(eligibleAt);
        });
    }

    @Test
    void the_cause_of_a_last_failure_has_the_number_of_the_last_attempt() {
        UpdateFixture f = failing(1, () -> answer(409, "Conflict", null));
        f.tick();
        assertThat(f.events.events())
                .extracting(ServiceEvent::cause)
                .extracting(cause -> ((ServiceEvent.Cause.Attempt) cause).number())
                .containsExactly(1L, 2L);
        assertThat(only(failing(3, () -> answer(400, "BadRequest", null))).cause())
                .isInstanceOfSatisfying(ServiceEvent.Cause.Attempt.class, attempt -> {
                    assertThat(attempt.number()).isEqualTo(1);
                    assertThat(attempt.notBefore()).isEmpty();
                });
    }

    @Test
    void the_cause_of_a_hold_has_the_id_of_the_removal() {
        EngineFixture the = new EngineFixture();
        the.pool("web", EngineFixture.range(1, 40));
        the.service("web", EngineFixture.range(1, 40));
        the.lead();
        the.tick();
        the.endpoints("web");
        the.tick();
        String id = the.braked().get(0).id();
        assertThat(the.events.events().getLast().cause())
                .isInstanceOfSatisfying(ServiceEvent.Cause.Hold.class, hold -> {
                    assertThat(hold.guard()).isEqualTo("SAFETY_BRAKE");
                    assertThat(hold.removal()).contains(id);
                    assertThat(hold.until()).contains(the.braked().get(0).until());
                    assertThat(hold.changedBack()).isZero();
                });
    }
}
