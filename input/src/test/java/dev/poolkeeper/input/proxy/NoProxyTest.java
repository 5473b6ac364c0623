package dev.poolkeeper.input.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoProxyTest {

    @ParameterizedTest(name = "\"{0}\" and {1}:{2}")
    @CsvSource({
        "'', arm.test, 443, false",
        "'', localhost, 443, true",
        "'', notlocalhost, 443, false",
        "'', localhost.test, 443, false",
        "'', 127.0.0.9, 443, true",
        "'', ::1, 443, true",
        "'', [::1], 443, true",
        "'', ::ffff:127.0.0.1, 443, true",
        "*, arm.test, 443, true",
        "*, 10.0.0.1, 443, true",
        "'a.test, *', arm.test, 443, true",
        "**, arm.test, 443, false",
        "*:443, arm.test, 443, false",
        "arm.test, ARM.test, 443, true",
        "ARM.test, arm.test, 443, true",
        "arm.test, west.arm.test, 443, true",
        "arm.test, notarm.test, 443, false",
        "arm.test, arm.test.evil, 443, false",
        "arm.test., arm.test, 443, false",
        "test, arm.test, 443, true",
        ".arm.test, west.arm.test, 443, true",
        ".arm.test, arm.test, 443, false",
        "*.arm.test, west.arm.test, 443, true",
        "*.arm.test, arm.test, 443, false",
        "*arm.test, west.arm.test, 443, false",
        "*.arm.test:443, west.arm.test, 443, true",
        "*.arm.test:444, west.arm.test, 443, false",
        ".arm.test:443, west.arm.test, 443, true",
        "arm.test:443, arm.test, 443, true",
        "arm.test:443, west.arm.test, 443, true",
        "arm.test:8443, arm.test, 443, false",
        "arm.test:, arm.test, 443, true",
        "arm.test:https, arm.test, 443, false",
        "arm.test:0443, arm.test, 443, false",
        ":443, arm.test, 443, false",
        "https://arm.test, arm.test, 443, false",
        "'arm.test west.test', arm.test, 443, false",
        "'arm.test;west.test', arm.test, 443, false",
        "10.0.0.0/8, 10.1.2.3, 443, true",
        "10.9.9.9/8, 10.1.2.3, 443, true",
        "10.0.0.0/8, 11.1.2.3, 443, false",
        "10.0.0.0/9, 10.128.0.1, 443, false",
        "10.0.0.0/33, 10.1.2.3, 443, false",
        "10.0.0.0/08, 10.1.2.3, 443, false",
        "10.0.0.0/8:443, 10.1.2.3, 443, false",
        "10.0.0.0/8, arm.test, 443, false",
        "0.0.0.0/0, 10.1.2.3, 443, true",
        "0.0.0.0/0, fd00::1, 443, false",
        "10.*, 10.1.2.3, 443, false",
        "10, 10.1.2.10, 443, false",
        ".10, 10.1.2.10, 443, false",
        "fd00::/8, fd12::5, 443, true",
        "fd00::/8, [fd12::5], 443, true",
        "fd00::/8, 10.0.0.1, 443, false",
        "::ffff:10.0.0.0/104, 10.1.2.3, 443, true",
        "10.0.0.4, 10.0.0.4, 443, true",
        "10.0.0.4, ::ffff:10.0.0.4, 443, true",
        "10.0.0.04, 10.0.0.4, 443, false",
        "10.0.0.4, 10.0.0.40, 443, false",
        "10.0.0.4:443, 10.0.0.4, 443, true",
        "10.0.0.4:8443, 10.0.0.4, 443, false",
        "fd00::1, [fd00::1], 443, true",
        "FD00:0::1, [fd00::1], 443, true",
        "[fd00::1]:443, [fd00::1], 443, true",
        "[fd00::1]:8443, [fd00::1], 443, false",
        "[fd00::1], [fd00::1], 443, false",
        "bücher.test, xn--bcher-kva.test, 443, true",
        "'.foo, .bar', a.bar, 443, true",
        "'a.test, ,b.test', b.test, 443, true"
    })
    void no_proxy_matches_hosts_as_go_does(String noProxy, String host, int port, boolean covered) {
        assertThat(new NoProxy(noProxy).covers(host, port)).isEqualTo(covered);
    }
}
