package dev.poolkeeper.input;

import java.util.List;
import java.util.stream.Collectors;

/** An input is invalid. Contains every fault found. */
public final class BadInputException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<InputFault> faults;

    public BadInputException(List<InputFault> faults) {
        super(faults.stream().map(InputFault::toString).collect(Collectors.joining(System.lineSeparator())));
        this.faults = List.copyOf(faults);
    }

    public BadInputException(InputFault fault) {
        this(List.of(fault));
    }

    /** @param cause the exception that revealed the fault */
    public BadInputException(InputFault fault, Throwable cause) {
        this(fault);
        initCause(cause);
    }

    public List<InputFault> faults() {
        return faults;
    }
}
