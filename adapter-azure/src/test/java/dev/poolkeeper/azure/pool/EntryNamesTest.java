package dev.poolkeeper.azure.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.IpAddress;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryNamesTest {

    /** The name of a second entry, after one that was read and one that was added. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,      -,      node-1, 10.0.0.4, node-1",
                "node-1, -,      node-1, 10.0.0.4, node-1-10-0-0-4",
                "NODE-1, -,      node-1, 10.0.0.4, node-1-10-0-0-4",
                "node-1, -,      Node-1, 10.0.0.4, Node-1-10-0-0-4",
                "-,      node-1, NODE-1, 10.0.0.4, NODE-1-10-0-0-4",
                "node-1-10-0-0-4, node-1, node-1, 10.0.0.4, node-1-10-0-0-4-2",
                "-,      -,      -,      10.0.0.4, ip-10-0-0-4",
                "-,      -,      '',     10.0.0.4, ip-10-0-0-4",
                "-,      -,      ' ',    10.0.0.4, ip-10-0-0-4",
                "IP-10-0-0-4, -, -,      10.0.0.4, ip-10-0-0-4-10-0-0-4",
                "-,      -,      -,      FD12:0::5, ip-fd12--5",
                "-,      -,      -,      ::ffff:10.0.0.1, ip---ffff-10-0-0-1"
            })
    void a_name_is_never_blank_and_unique_in_any_case(
            String read, String added, String node, String address, String name) {
        EntryNames names = new EntryNames();
        names.taken(read);
        if (added != null) {
            assertThat(names.unique(Optional.of(added), IpAddress.of("10.9.9.9")))
                    .isEqualTo(added);
        }
        assertThat(names.unique(Optional.ofNullable(node), IpAddress.of(address)))
                .isEqualTo(name);
    }
}
