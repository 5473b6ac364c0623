package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpsProxyTest {

    private static final Proxy PROXY = new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy", 80));

    private static Proxy selected(HttpsProxy proxy, String address) {
        try (HttpClient client = proxy.on(HttpClient.newBuilder()).build()) {
            return client.proxy().orElseThrow().select(URI.create(address)).getFirst();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://arm.test/x, true",
        "https://[fd00::1]/, true",
        "https://except.test:8443/, true",
        "https://except.test/, false",
        "https://localhost:8443/, false",
        "https://[::1]:8443/, false",
        "http://169.254.169.254/metadata, false"
    })
    void https_requests_go_through_the_proxy_unless_excepted(String address, boolean isProxied) {
        HttpsProxy proxy = new HttpsProxy(URI.create("http://proxy"), "except.test:443");

        assertThat(selected(proxy, address)).isEqualTo(isProxied ? PROXY : Proxy.NO_PROXY);
    }

    @Test
    void without_proxy_variables_the_jdk_decides() {
        try (HttpClient client = HttpsProxy.NONE.on(HttpClient.newBuilder()).build()) {
            assertThat(client.proxy()).isEmpty();
        }
    }

    @Test
    void without_proxy_variables_there_is_no_proxy() {
        assertThat(HttpsProxy.of(Map.of("NO_PROXY", "*", "HTTPS_PROXY", " "))).isEqualTo(HttpsProxy.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTPS_PROXY, NO_PROXY, proxy:3128, http://proxy:3128",
        "https_proxy, no_proxy, http://proxy/, http://proxy/"
    })
    void proxy_variables_are_read_in_either_case_with_or_without_a_scheme(
            String name, String exceptions, String address, URI expected) {
        assertThat(HttpsProxy.of(Map.of(name, address, exceptions, "a.test")))
                .isEqualTo(new HttpsProxy(expected, "a.test"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "socks5://proxy:1080",
                "https://proxy",
                "http://user:hunter2@proxy:3128",
                "user:hunter2@proxy:3128",
                "http://",
                "proxy/path",
                "not a proxy"
            })
    void an_invalid_proxy_is_refused_without_showing_its_password(String address) {
        assertThatThrownBy(() -> HttpsProxy.of(Map.of("HTTPS_PROXY", address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("HTTPS_PROXY is \"")
                .hasMessageEndingWith("must be an http address such as http://proxy:3128, without user and password")
                .hasMessageNotContaining("hunter2");
    }
}
