package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.AddressSet;

/** What a guard says to a plan. */
public sealed interface Verdict {

    /** Nothing is held back. */
    Verdict GO = new Go();

    /** The plan may be done. */
    record Go() implements Verdict {}

    /**
     * Less than the plan may be done.
     *
     * @param planned what the pool may be made to hold
     * @param because why not more
     */
    record GoWithLess(AddressSet planned, Held because) implements Verdict {}

    /** Nothing of the plan may be done. */
    record Hold(Held because) implements Verdict {}
}
