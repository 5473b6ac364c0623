package dev.poolkeeper.input;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects all faults of one source, up to a limit that only a damaged or foreign file reaches. Used by one thread. */
public final class FaultCollector {

    /** The maximum number of faults shown. */
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

    /** Adds a fault; ignores duplicates. */
    public void add(String place, String problem) {
        InputFault fault = new InputFault(source, place, problem);
        if (faults.size() < MOST) {
            faults.add(fault);
        } else {
            isFull = isFull || !faults.contains(fault);
        }
    }

    /** Whether there are more faults than are shown, so that checking further is pointless. */
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

    /** @throws BadInputException if there are any faults */
    public void throwIfAny() throws BadInputException {
        if (!faults.isEmpty()) {
            throw new BadInputException(faults());
        }
    }
}
