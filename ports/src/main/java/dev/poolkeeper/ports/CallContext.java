package dev.poolkeeper.ports;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a call carries besides its arguments. Immutable.
 *
 * @param term the term as leader that the call belongs to; once it has ended, nothing more is sent for the call
 * @param isRetry whether the call repeats one that failed at an earlier tick: such a call is no first attempt to a
 *     retry budget
 * @param trace what the assembly attached for its own tracing, null for nothing; of no meaning to core or adapters
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
