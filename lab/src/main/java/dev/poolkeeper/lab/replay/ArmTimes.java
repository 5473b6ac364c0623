package dev.poolkeeper.lab.replay;

import dev.poolkeeper.input.policies.GepDuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;

/**
 * How long ARM's calls take on virtual time.
 *
 * @param read a read, and a call that a fault answers
 * @param write a write
 * @param jitter by how many percent each differs at most, 0 to 100
 * @param seed of the differences
 */
public record ArmTimes(Duration read, Duration write, int jitter, long seed) {

    private static final String ALLOWED = "read=DURATION,write=DURATION and, if wanted, jitter=PERCENT (0 to 100) and"
            + " seed=NUMBER, such as read=60ms,write=8s,jitter=10,seed=3";

    /** Calls take no time. */
    static final ArmTimes NONE = new ArmTimes(Duration.ZERO, Duration.ZERO, 0, 0);

    /**
     * Reads {@code read=60ms,write=8s,jitter=10,seed=3}, of which the last two may be missing.
     *
     * @throws IllegalArgumentException with what is allowed
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

    /** Gives the factor of each call in turn. */
    DoubleSupplier factors() {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> jitter == 0 ? 1 : 1 + (2 * random.nextDouble() - 1) * jitter / 100;
    }
}
