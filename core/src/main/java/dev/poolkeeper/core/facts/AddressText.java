package dev.poolkeeper.core.facts;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import java.util.StringJoiner;

/** Formats addresses for logs and events. */
final class AddressText {

    private AddressText() {}

    /** Such as {@code 10.1.0.1, 10.1.0.2 and 7 more}. */
    static String of(AddressSet addresses, int named) {
        StringJoiner names = new StringJoiner(", ");
        int left = named;
        for (IpAddress address : addresses) {
            if (left-- == 0) {
                return names + " and " + (addresses.size() - named) + " more";
            }
            names.add(address.toString());
        }
        return names.toString();
    }
}
