package dev.poolkeeper.ports;

import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * One term as leader. Work that only the leader may do keeps a reference to the term and checks {@link #isCurrent}
 * before each step; a later term of the same process is a different object. A term that has ended stays ended.
 * Thread-safe; never blocks.
 */
public final class Term {

    private final BooleanSupplier leads;
    private volatile boolean ended;

    private Term(BooleanSupplier leads) {
        this.leads = leads;
    }

    /**
     * A term that lasts until the condition becomes false or {@link #end} is called.
     *
     * @param leads whether this process is still the leader; must be thread-safe and must not block
     */
    public static Term during(BooleanSupplier leads) {
        return new Term(Objects.requireNonNull(leads, "leads"));
    }

    /** A term that lasts until {@link #end} is called: for a process without leader election. */
    public static Term untilEnded() {
        return new Term(() -> true);
    }

    /** Whether work of this term may continue. */
    public boolean isCurrent() {
        return !ended && leads.getAsBoolean();
    }

    /** Ends the term, regardless of the condition. */
    public void end() {
        ended = true;
    }
}
