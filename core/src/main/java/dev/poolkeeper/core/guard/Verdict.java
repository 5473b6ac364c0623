package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.ports.AddressSet;

/** A guard's decision about a plan. */
public sealed interface Verdict {

    /** Nothing is held back. */
    Verdict GO = new Go();

    /** The plan may be done. */
    record Go() implements Verdict {}

    /**
     * Only part of the plan may be done.
     *
     * @param planned the addresses to write instead
     * @param because why the rest is held
     */
    record GoWithLess(AddressSet planned, HoldCause because) implements Verdict {}

    /** Nothing of the plan may be done. */
    record Hold(HoldCause because) implements Verdict {}
}
