package dev.poolkeeper.azure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import java.time.Instant;
import java.time.InstantSource;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Lincheck tries the interleavings of requests at a gate that is being shut and has two tokens. */
class ThrottlingGateLincheckTest {

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .iterations(Integer.getInteger("lincheck.scenarios", 10))
                .invocationsPerIteration(100)
                .minimizeFailedScenario(false);
    }

    @Test
    @Rule(
            id = "X5",
            says = "Requests and refusals at the same moment find the throttling gate as if they had come one after"
                    + " another: no token is given twice, no wait is shortened.",
            source = "design document, ThrottleError",
            differs = "Go's gate has no lock.")
    void requests_at_the_same_moment_pass_as_one_after_another() {
        options().check(Requests.class);
    }

    @Test
    void a_gate_that_forgets_the_longer_wait_between_two_threads_is_found() {
        assertThatThrownBy(() -> options().iterations(60).check(Unlocked.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** What exchanges with ARM do. */
    @Param(name = "seconds", gen = IntGen.class, conf = "1:3")
    public static class Requests {

        private final ThrottlingGate gate = new ThrottlingGate(InstantSource.fixed(Instant.EPOCH), new RateLimit(1, 2));

        @Operation
        public void shut(@Param(name = "seconds") int seconds) {
            gate.shut(new RetryAfter.At(Instant.EPOCH.plusSeconds(seconds)));
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

    /** The planted fault: looks at the timer and sets it without a lock, as the Go implementation does. */
    @Param(name = "seconds", gen = IntGen.class, conf = "1:3")
    public static final class Unlocked {

        private int timer;

        @Operation
        public void shut(@Param(name = "seconds") int seconds) {
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
