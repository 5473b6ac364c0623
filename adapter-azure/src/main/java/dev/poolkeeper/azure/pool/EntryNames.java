package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.IpAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of a pool's entries: not blank, and unique without regard to case. */
final class EntryNames {

    private final Set<String> taken = new HashSet<>();

    void taken(@Nullable String name) {
        if (name != null) {
            taken.add(name.toLowerCase(Locale.ROOT));
        }
    }

    /** The node's name, followed by the address if another entry has that name; {@code ip-…} if the node is unknown. */
    String unique(Optional<String> node, IpAddress address) {
        String suffix = address.canonical().replace(':', '-').replace('.', '-');
        String wanted = node.filter(name -> !name.isBlank()).orElse("ip-" + suffix);
        String name = wanted;
        for (int i = 1; !taken.add(name.toLowerCase(Locale.ROOT)); i++) {
            name = i == 1 ? wanted + "-" + suffix : wanted + "-" + suffix + "-" + i;
        }
        return name;
    }
}
