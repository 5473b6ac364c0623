package dev.poolkeeper.ports;

/**
 * What distinguishes a set of addresses from another one. Immutable.
 *
 * @param added what only the other one holds
 * @param removed what only the first one holds
 * @see AddressSet#changeTo
 */
public record AddressChange(AddressSet added, AddressSet removed) {

    /** Whether both hold the same. */
    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty();
    }
}
