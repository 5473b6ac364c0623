package dev.poolkeeper.core.engine;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import java.util.stream.Collectors;

/** Addresses as people read them, in logs and events. */
final class AddressText {

    private AddressText() {}

    /** Such as {@code 10.1.0.1, 10.1.0.2 and 7 more}. */
    static String of(AddressSet addresses, int named) {
        String names = addresses.stream().limit(named).map(IpAddress::toString).collect(Collectors.joining(", "));
        int more = addresses.size() - named;
        return more > 0 ? names + " and " + more + " more" : names;
    }
}
