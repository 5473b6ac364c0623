package dev.poolkeeper.ports;

import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * One term as leader. Work that is allowed only while leading holds the term and asks {@link #isCurrent} before each
 * step; a later term of the same process is another object. Once ended, a term stays ended. Thread-safe; never blocks.
 */
public final class Term {

    private final BooleanSupplier leads;
    private volatile boolean ended;

    private Term(BooleanSupplier leads) {
        this.leads = leads;
    }

    /**
     * A term that lasts while the condition holds and {@link #end} was not called.
     *
     * @param leads whether this process still leads; thread-safe, never blocks
     */
    public static Term during(BooleanSupplier leads) {
        return new Term(Objects.requireNonNull(leads, "leads"));
    }

    /** A term that lasts until {@link #end} is called: for a process that needs no election. */
    public static Term untilEnded() {
        return new Term(() -> true);
    }

    /** Whether work of this term may go on. */
    public boolean isCurrent() {
        return !ended && leads.getAsBoolean();
    }

    /** Ends the term, whatever the condition says. */
    public void end() {
        ended = true;
    }
}
