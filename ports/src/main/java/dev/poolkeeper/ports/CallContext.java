package dev.poolkeeper.ports;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call. Immutable.
 *
 * @param term the term as leader that the call belongs to; once it has ended, no request of the call is repeated
 * @param isRetry whether the call repeats one that failed at an earlier tick, so that a retry budget does not count it
 *     as a first attempt
 * @param trace the trace attached by the assembly; null for none; opaque to core and adapters
 */
public record CallContext(
        Term term, boolean isRetry, @Nullable Object trace) {

    public CallContext {
        Objects.requireNonNull(term, "term");
    }

    /** A first attempt that belongs to no term and no trace, such as a listing. */
    public static CallContext unbound() {
        return new CallContext(Term.untilEnded(), false, null);
    }
}
