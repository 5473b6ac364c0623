package dev.poolkeeper.ports;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An immutable set of IP addresses in ascending order. Different spellings of one address are one element; the first
 * spelling given is kept.
 *
 * <p>Takes only one reference per address, because a large cluster's wanted sets hold millions. The cost of union,
 * difference and intersection is proportional to the sizes of both sets; they return an operand if it equals the
 * result.
 */
public final class AddressSet implements Iterable<IpAddress> {

    private static final AddressSet EMPTY = new AddressSet(new IpAddress[0]);

    private final IpAddress[] sorted;

    private AddressSet(IpAddress[] sorted) {
        this.sorted = sorted;
    }

    public static AddressSet empty() {
        return EMPTY;
    }

    public static AddressSet of(Collection<IpAddress> addresses) {
        return ofOwn(addresses.toArray(IpAddress[]::new));
    }

    /** @throws IllegalArgumentException if a text is not an IP address */
    public static AddressSet of(String... addresses) {
        return ofOwn(Stream.of(addresses).map(IpAddress::of).toArray(IpAddress[]::new));
    }

    /** @param addresses belong to the set from now on */
    private static AddressSet ofOwn(IpAddress[] addresses) {
        if (addresses.length == 0) {
            return EMPTY;
        }
        Arrays.sort(addresses); // stable: the first spelling of an address stays first
        int kept = 1;
        for (int i = 1; i < addresses.length; i++) {
            if (!addresses[i].equals(addresses[kept - 1])) {
                addresses[kept++] = addresses[i];
            }
        }
        return new AddressSet(kept == addresses.length ? addresses : Arrays.copyOf(addresses, kept));
    }

    public int size() {
        return sorted.length;
    }

    public boolean isEmpty() {
        return sorted.length == 0;
    }

    public boolean contains(IpAddress address) {
        return Arrays.binarySearch(sorted, address) >= 0;
    }

    /** The addresses in either set; shared addresses in this set's spelling. */
    public AddressSet union(AddressSet other) {
        return isEmpty() ? other : merge(other, true, true, true);
    }

    /** The addresses in this set but not in the other. */
    public AddressSet minus(AddressSet other) {
        return merge(other, true, false, false);
    }

    /** The addresses in both sets, in this set's spelling. */
    public AddressSet intersect(AddressSet other) {
        return merge(other, false, true, false);
    }

    /** What comes and what goes when this set becomes the other. One pass over both. */
    public AddressChange changeTo(AddressSet other) {
        int i = 0;
        while (i < sorted.length && i < other.sorted.length && sorted[i].equals(other.sorted[i])) {
            i++; // in all of it, nearly always
        }
        int j = i;
        IpAddress[] removed = new IpAddress[sorted.length - i];
        IpAddress[] added = new IpAddress[other.sorted.length - j];
        int gone = 0;
        int come = 0;
        while (i < sorted.length || j < other.sorted.length) {
            int order = i == sorted.length ? 1 : j == other.sorted.length ? -1 : order(sorted[i], other.sorted[j]);
            if (order < 0) {
                removed[gone++] = sorted[i];
            } else if (order > 0) {
                added[come++] = other.sorted[j];
            }
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return new AddressChange(other.part(added, come), part(removed, gone));
    }

    private AddressSet part(IpAddress[] some, int count) {
        return count == 0 ? EMPTY : count == size() ? this : new AddressSet(Arrays.copyOf(some, count));
    }

    /** Whether a set has all that comes and nothing that goes when this set becomes the other. Allocates nothing. */
    public boolean isChangeIn(AddressSet other, AddressSet set) {
        int i = 0;
        int j = 0;
        while (i < sorted.length || j < other.sorted.length) {
            int order = i == sorted.length ? 1 : j == other.sorted.length ? -1 : order(sorted[i], other.sorted[j]);
            if (order < 0 && set.contains(sorted[i]) || order > 0 && !set.contains(other.sorted[j])) {
                return false;
            }
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return true;
    }

    /** The addresses of one family. Cost is constant if all are of one family. */
    public AddressSet ofFamily(IpFamily family) {
        if (isEmpty() || sorted[0].family() == family && sorted[sorted.length - 1].family() == family) {
            return this;
        }
        return of(stream().filter(address -> address.family() == family).toList());
    }

    /** This set, with shared addresses in the other set's spelling. */
    public AddressSet spelledAs(AddressSet other) {
        int i = 0;
        int j = 0;
        while (i < sorted.length && j < other.sorted.length) {
            int order = order(sorted[i], other.sorted[j]);
            if (order == 0 && !sorted[i].toString().equals(other.sorted[j].toString())) {
                return other.intersect(this).union(this);
            }
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return this;
    }

    /** The number of shared addresses. Allocates nothing. */
    public int common(AddressSet other) {
        int common = 0;
        int i = 0;
        int j = 0;
        while (i < sorted.length && j < other.sorted.length) {
            int order = order(sorted[i], other.sorted[j]);
            common += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return common;
    }

    @SuppressWarnings("ReferenceEquality") // most addresses of two sets are the same objects
    private static int order(IpAddress a, IpAddress b) {
        return a == b ? 0 : a.compareTo(b);
    }

    private AddressSet merge(AddressSet other, boolean onlyHere, boolean inBoth, boolean onlyThere) {
        int common = common(other);
        int size = (onlyHere ? size() - common : 0) + (inBoth ? common : 0) + (onlyThere ? other.size() - common : 0);
        if (size == 0 || size == size()) {
            return size == 0 ? EMPTY : this;
        }
        IpAddress[] result = new IpAddress[size];
        int i = 0;
        int j = 0;
        for (int count = 0; count < size; ) {
            int order = i == sorted.length ? 1 : j == other.sorted.length ? -1 : order(sorted[i], other.sorted[j]);
            if (order < 0 ? onlyHere : order == 0 ? inBoth : onlyThere) {
                result[count++] = order <= 0 ? sorted[i] : other.sorted[j];
            }
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return new AddressSet(result);
    }

    public Stream<IpAddress> stream() {
        return Arrays.stream(sorted);
    }

    @Override
    public Iterator<IpAddress> iterator() {
        return Arrays.asList(sorted).iterator();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof AddressSet set && Arrays.equals(sorted, set.sorted);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sorted);
    }

    /** The addresses in their original spelling, such as {@code [10.0.0.4, 10.0.0.5]}. */
    @Override
    public String toString() {
        return stream().map(IpAddress::toString).collect(Collectors.joining(", ", "[", "]"));
    }
}
