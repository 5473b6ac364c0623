package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.retry.RetryAfter;
import java.time.Instant;
import java.time.InstantSource;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/** Lincheck explores the interleavings of requests at a gate with two tokens that is being closed. */
class ThrottlingGateLincheckTest {

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(Integer.getInteger("lincheck.scenarios", 20))
                .invocationsPerIteration(200)
                .minimizeFailedScenario(false);
    }

    @Test
    @Rule(
            id = "X5",
            says = "Concurrent requests and refusals are equivalent to sequential ones at the throttling gate:"
                    + " no token is used twice, and no wait is shortened.",
            source = "design document, ThrottleError",
            differs = "Go's gate has no lock.")
    void concurrent_requests_pass_as_sequential_ones_do() {
        options().check(Requests.class);
    }

    @Test
    void a_gate_that_loses_the_longer_wait_in_a_race_is_detected() {
        assertThatThrownBy(() -> options().check(Unlocked.class)).isInstanceOf(LincheckAssertionError.class);
    }

    /** The calls of exchanges with ARM. */
    public static class Requests {

        private final ThrottlingGate gate = new ThrottlingGate(InstantSource.fixed(Instant.EPOCH), new RateLimit(1, 2));

        @Operation
        public void shutForLong() {
            gate.shut(new RetryAfter.At(Instant.EPOCH.plusSeconds(60)));
        }

        @Operation
        public void shutForShort() {
            gate.shut(new RetryAfter.At(Instant.EPOCH.plusSeconds(1)));
        }

        @Operation
        public String shutUntil() {
            return gate.shutUntil().toString();
        }

        @Operation
        public String tryPass() {
            return gate.tryPass(Instant.EPOCH).toString();
        }
    }

    /** The planted fault: checks the timer and sets it without a lock, as the Go implementation does. */
    public static final class Unlocked {

        private int timer;

        @Operation
        public void shutForLong() {
            shut(60);
        }

        @Operation
        public void shutForShort() {
            shut(1);
        }

        private void shut(int seconds) {
            if (seconds > timer) {
                timer = seconds;
            }
        }

        @Operation
        public int shutUntil() {
            return timer;
        }
    }
}
