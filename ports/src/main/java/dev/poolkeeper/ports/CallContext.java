package dev.poolkeeper.ports;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call. Immutable.
 *
 * @param term the right to make the call: the term as leader, and while it lasts the hold of the resource lock. It is
 *     asked before each read, each write and each repetition of any request; once it is over, none is sent, and the
 *     call fails with {@link Failure.Cancelled#atFence}. What an accepted write became is still polled
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
