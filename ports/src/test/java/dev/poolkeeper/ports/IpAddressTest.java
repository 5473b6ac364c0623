package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    @ParameterizedTest
    @CsvSource({
        "10.224.0.4, 10.224.0.4",
        "255.255.255.255, 255.255.255.255",
        "FD12:3456:789A::10, fd12:3456:789a::10",
        "fd12:3456:789a:0:0:0:0:10, fd12:3456:789a::10",
        "2001:0db8:0000:0000:0001:0000:0000:0001, 2001:db8::1:0:0:1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:2:3:4:5:6:0:8, 1:2:3:4:5:6:0:8",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::ffff:10.0.0.1, ::ffff:10.0.0.1",
        "::FFFF:a00:1, ::ffff:10.0.0.1",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    })
    void the_canonical_spelling_is_that_of_rfc_5952(String text, String canonical) {
        assertThat(IpAddress.of(text).canonical()).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "10.0.0",
                "10.0.0.256",
                "10.0.0.0.1",
                "010.0.0.1",
                "10.0.0.1/32",
                "10.0.0.-1",
                "10.0.0.1 ",
                "a.b.c.d",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "1::2::3",
                "fe80::1%eth0",
                "12345::",
                "1:2:3:4:5:6:7:",
                ":1:2:3:4:5:6:7",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::g",
                "::0000000",
                "::1.2.3.4:5",
                "localhost",
                "[::1]",
                "١٠.0.0.1",
                "::١",
                "0000000000000000000000000000000000000000000000.0.0.1"
            })
    void invalid_addresses_are_rejected(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
        assertThatThrownBy(() -> IpAddress.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\"");
    }

    @Test
    void spellings_of_one_address_are_equal_and_each_keeps_its_own() {
        IpAddress upper = IpAddress.of("FD12::A");
        IpAddress full = IpAddress.of("fd12:0:0:0:0:0:0:a");

        assertThat(upper).isEqualTo(full).hasSameHashCodeAs(full);
        assertThat(List.of(upper.toString(), full.toString())).containsExactly("FD12::A", "fd12:0:0:0:0:0:0:a");
    }

    @Test
    void an_ipv4_mapped_address_is_an_ipv6_address() {
        assertThat(IpAddress.of("::ffff:10.0.0.1").family()).isEqualTo(IpFamily.IPV6);
        assertThat(IpAddress.of("::ffff:10.0.0.1")).isNotEqualTo(IpAddress.of("10.0.0.1"));
    }

    @Test
    void addresses_sort_by_family_then_by_value() {
        assertThat(List.of("ff00::1", "10.0.0.10", "200.0.0.1", "::1", "10.0.0.9", "7fff::").stream()
                        .map(IpAddress::of)
                        .sorted()
                        .map(IpAddress::toString))
                .containsExactly("10.0.0.9", "10.0.0.10", "200.0.0.1", "::1", "7fff::", "ff00::1");
    }
}
