package dev.poolkeeper.ports;

/**
 * The difference between two sets of addresses. Immutable.
 *
 * @param added addresses only in the later set, in its spelling
 * @param removed addresses only in the earlier set, in its spelling
 */
public record AddressChange(AddressSet added, AddressSet removed) {

    /** Cost is proportional to the sizes of both sets. */
    public static AddressChange between(AddressSet before, AddressSet after) {
        return new AddressChange(after.minus(before), before.minus(after));
    }

    /** Whether both sets are equal. */
    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty();
    }
}
