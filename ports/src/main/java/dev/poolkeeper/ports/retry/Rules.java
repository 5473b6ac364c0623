package dev.poolkeeper.ports.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the rules that one value breaks. */
final class Rules {

    private final List<PolicyFault> faults = new ArrayList<>();

    void require(boolean holds, String field, Object value, String rule) {
        if (!holds) {
            faults.add(new PolicyFault(
                    field, value instanceof Duration d ? PolicyFault.text(d) : String.valueOf(value), rule));
        }
    }

    /** The Gateway API's durations are whole milliseconds without a sign. */
    boolean isDuration(String field, Duration value) {
        boolean holds = !value.isNegative() && PolicyFault.isInWholeMilliseconds(value);
        require(holds, field, value, "must be a duration in whole milliseconds, 0s or more");
        return holds;
    }

    void requireBetween(Duration least, Duration value, Duration most, String field, String rule) {
        if (isDuration(field, value)) {
            require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0, field, value, rule);
        }
    }

    void requireNone() {
        if (!faults.isEmpty()) {
            throw new InvalidPolicyException(faults);
        }
    }
}
