package dev.poolkeeper.ports;

/**
 * The way from one set of addresses to another. Immutable.
 *
 * @param added what only the later set has, in its spelling
 * @param removed what only the earlier set has, in its spelling
 */
public record AddressChange(AddressSet added, AddressSet removed) {

    /** Costs in proportion to both sets. */
    public static AddressChange between(AddressSet before, AddressSet after) {
        int common = before.common(after);
        if (common == 0) {
            return new AddressChange(after, before);
        }
        return new AddressChange(after.minus(before, common), before.minus(after, common));
    }

    /** Whether both sets are equal. */
    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty();
    }
}
