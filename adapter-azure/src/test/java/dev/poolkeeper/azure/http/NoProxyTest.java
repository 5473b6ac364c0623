package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoProxyTest {

    @ParameterizedTest(name = "\"{0}\" and {1}:{2}")
    @CsvSource({
        "'', arm.test, 443, false",
        "'', localhost, 443, true",
        "'', 127.0.0.9, 443, true",
        "'', ::1, 443, true",
        "*, arm.test, 443, true",
        "arm.test, ARM.test, 443, true",
        "arm.test, west.arm.test, 443, true",
        "arm.test, notarm.test, 443, false",
        ".arm.test, west.arm.test, 443, true",
        ".arm.test, arm.test, 443, false",
        "*.arm.test, west.arm.test, 443, true",
        "*.arm.test, arm.test, 443, false",
        "arm.test:443, arm.test, 443, true",
        "arm.test:8443, arm.test, 443, false",
        "10.0.0.0/8, 10.1.2.3, 443, true",
        "10.0.0.0/8, 11.1.2.3, 443, false",
        "10.0.0.0/33, 10.1.2.3, 443, false",
        "10.0.0.0/8, arm.test, 443, false",
        "fd00::/8, fd12::5, 443, true",
        "fd00::/8, [fd12::5], 443, true",
        "fd00::/8, 10.0.0.1, 443, false",
        "10.0.0.4, 10.0.0.4, 443, true",
        "10.0.0.4:8443, 10.0.0.4, 443, false",
        "'a.test, ,b.test', b.test, 443, true"
    })
    void no_proxy_matches_hosts_as_go_does(String noProxy, String host, int port, boolean covered) {
        assertThat(new NoProxy(noProxy).covers(host, port)).isEqualTo(covered);
    }
}
