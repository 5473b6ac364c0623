package dev.poolkeeper.ports.retry;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown for an invalid policy. Contains every broken rule, not only the first. */
public final class InvalidPolicyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient List<PolicyFault> faults;

    public InvalidPolicyException(List<PolicyFault> faults) {
        super(faults.stream().map(PolicyFault::toString).collect(Collectors.joining("; ")));
        this.faults = List.copyOf(faults);
    }

    /** At least one. */
    public List<PolicyFault> faults() {
        return faults;
    }
}
