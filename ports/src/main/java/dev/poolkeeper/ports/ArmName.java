package dev.poolkeeper.ports;

import java.util.Locale;

/**
 * The name of an Azure resource: a load balancer or one of its backend address pools.
 *
 * <p>ARM compares names without regard to case, and so does {@link #equals}; {@link #toString} keeps the original
 * spelling. Case is folded once, on creation. Sorted by the folded name.
 */
public final class ArmName implements Comparable<ArmName> {

    private final String spelling;
    private final String folded;
    private final int hash;

    private ArmName(String spelling) {
        this.spelling = spelling;
        this.folded = spelling.toLowerCase(Locale.ROOT);
        this.hash = folded.hashCode();
    }

    /** @throws IllegalArgumentException if the name is blank */
    public static ArmName of(String spelling) {
        if (spelling.isBlank()) {
            throw new IllegalArgumentException("an Azure resource's name must not be blank");
        }
        return new ArmName(spelling);
    }

    @Override
    public int compareTo(ArmName other) {
        return folded.compareTo(other.folded);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof ArmName name && hash == name.hash && folded.equals(name.folded);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** The name in its original spelling. */
    @Override
    public String toString() {
        return spelling;
    }
}
