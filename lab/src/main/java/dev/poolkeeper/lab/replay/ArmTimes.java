package dev.poolkeeper.lab.replay;

import dev.poolkeeper.input.policies.GepDuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * The durations of ARM's calls on virtual time.
 *
 * @param read the duration of a read, and of a call answered by a fault
 * @param write the duration of a write
 * @param jitter the maximum deviation of a call's duration in percent, 0 to 100
 * @param seed the seed of the jitter
 */
public record ArmTimes(Duration read, Duration write, int jitter, long seed) {

    private static final String ALLOWED = "read=DURATION,write=DURATION and, optionally, jitter=PERCENT (0 to 100) and"
            + " seed=NUMBER, such as read=60ms,write=8s,jitter=10,seed=3";

    /** Calls take no time. */
    static final ArmTimes NONE = new ArmTimes(Duration.ZERO, Duration.ZERO, 0, 0);

    /**
     * Parses {@code read=60ms,write=8s,jitter=10,seed=3}; the last two are optional.
     *
     * @throws IllegalArgumentException with the allowed format
     */
    public static ArmTimes parse(String text) {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.split(",", -1)) {
            String[] nameAndValue = part.split("=", 2);
            if (nameAndValue.length < 2 || parts.put(nameAndValue[0].strip(), nameAndValue[1].strip()) != null) {
                throw new IllegalArgumentException(ALLOWED);
            }
        }
        String read = parts.remove("read");
        String write = parts.remove("write");
        try {
            int jitter = Integer.parseInt(Objects.requireNonNullElse(parts.remove("jitter"), "0"));
            long seed = Long.parseLong(Objects.requireNonNullElse(parts.remove("seed"), "0"));
            if (read == null || write == null || !parts.isEmpty() || jitter < 0 || jitter > 100) {
                throw new IllegalArgumentException(ALLOWED);
            }
            return new ArmTimes(GepDuration.parse(read), GepDuration.parse(write), jitter, seed);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(ALLOWED, e);
        }
    }

    /** Returns the factor of each successive call. */
    DoubleSupplier factors() {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> jitter == 0 ? 1 : 1 + (2 * random.nextDouble() - 1) * jitter / 100;
    }
}
