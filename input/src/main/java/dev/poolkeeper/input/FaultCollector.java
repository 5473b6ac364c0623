package dev.poolkeeper.input;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the faults of one source: all of them, up to a number that only a damaged or foreign file has. Used by one
 * thread.
 */
public final class FaultCollector {

    /** How many faults are shown. */
    public static final int MOST = 10_000;

    private final String source;
    private final Set<InputFault> faults = new LinkedHashSet<>();
    private boolean isFull;

    public FaultCollector(String source) {
        this.source = source;
    }

    public String source() {
        return source;
    }

    /** Notes a fault; the same one again changes nothing. */
    public void add(String place, String problem) {
        InputFault fault = new InputFault(source, place, problem);
        if (faults.size() < MOST) {
            faults.add(fault);
        } else {
            isFull = isFull || !faults.contains(fault);
        }
    }

    /** Whether there are more faults than are shown, so that there is no use in looking for more. */
    public boolean isFull() {
        return isFull;
    }

    public List<InputFault> faults() {
        List<InputFault> all = new ArrayList<>(faults);
        if (isFull) {
            all.add(new InputFault(
                    source,
                    "",
                    "has more faults than the " + MOST + " shown; the others are shown once these are fixed"));
        }
        return all;
    }

    /** @throws BadInputException if there are any */
    public void throwIfAny() throws BadInputException {
        if (!faults.isEmpty()) {
            throw new BadInputException(faults());
        }
    }
}
