package dev.poolkeeper.input;

import java.util.ArrayList;
import java.util.List;

/** Collects the faults of one source, up to a number that a person still reads. */
public final class FaultCollector {

    private static final int MOST = 20;

    private final String source;
    private final List<InputFault> faults = new ArrayList<>();
    private int more;

    public FaultCollector(String source) {
        this.source = source;
    }

    public String source() {
        return source;
    }

    /** Notes a fault; the same one again changes nothing. */
    public void add(String place, String problem) {
        InputFault fault = new InputFault(source, place, problem);
        if (faults.contains(fault)) {
            return;
        }
        if (faults.size() < MOST) {
            faults.add(fault);
        } else {
            more++;
        }
    }

    /** Whether there are so many faults that looking for more helps nobody. */
    public boolean isFull() {
        return more > 0;
    }

    public List<InputFault> faults() {
        List<InputFault> all = new ArrayList<>(faults);
        if (more > 0) {
            all.add(new InputFault(source, "", "has more faults than the " + MOST + " shown"));
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
