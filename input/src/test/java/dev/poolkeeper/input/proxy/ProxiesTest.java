package dev.poolkeeper.input.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxiesTest {

    private static final Map<String, String> BOTH =
            Map.of("HTTPS_PROXY", "http://tls:3128", "HTTP_PROXY", "http://plain:8080", "NO_PROXY", "except.test:443");

    private static String selected(Proxies proxies, String address) {
        Proxy proxy = proxies.select(URI.create(address)).getFirst();
        return proxy.equals(Proxy.NO_PROXY) ? "direct" : address((InetSocketAddress) proxy.address());
    }

    private static String address(InetSocketAddress address) {
        assertThat(address.isUnresolved()).isTrue();
        return address.getHostString() + ":" + address.getPort();
    }

    @ParameterizedTest
    @CsvSource({
        "https://arm.test/x, tls:3128",
        "HTTPS://arm.test/x, tls:3128",
        "https://[fd00::1]/, tls:3128",
        "https://except.test:8443/, tls:3128",
        "https://except.test/, direct",
        "http://except.test/, plain:8080",
        "http://arm.test/x, plain:8080",
        "https://localhost:8443/, direct",
        "https://127.0.0.1:8443/, direct",
        "https://[::1]:8443/, direct",
        "http://localhost/, direct",
        "http://169.254.169.254/metadata, direct",
        "HTTP://169.254.169.254:80/metadata, direct",
        "https://169.254.169.254/, tls:3128"
    })
    @Rule(
            id = "A60",
            says = "HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in upper or lower case, mean for every connection what they"
                    + " mean for Go programs.",
            source = "golang.org/x/net/http/httpproxy",
            differs = "What Go ignores is refused, as are SOCKS and https proxies and those with a user and password;"
                    + " the metadata service of a virtual machine is never asked through a proxy.")
    void each_scheme_has_its_own_proxy_with_the_same_exceptions(String address, String expected)
            throws BadInputException {
        assertThat(selected(Proxies.of(BOTH), address)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "HTTPS_PROXY, proxy:3128, proxy:3128",
        "https_proxy, http://proxy/, proxy:80",
        "HTTPS_PROXY, HTTP://proxy:, proxy:80",
        "HTTPS_PROXY, proxy, proxy:80",
        "HTTPS_PROXY, proxy:1, proxy:1",
        "HTTPS_PROXY, proxy:65535, proxy:65535",
        "HTTPS_PROXY, ' proxy:3128 ', proxy:3128",
        "HTTPS_PROXY, 10.0.0.9:3128, 10.0.0.9:3128",
        "HTTPS_PROXY, http://[fd00::9]:3128, fd00::9:3128",
        "HTTPS_PROXY, http://my_proxy:3128/path?x, my_proxy:3128",
        "HTTP_PROXY, proxy:3128, direct",
        "http_proxy, proxy:3128, direct",
        "ALL_PROXY, proxy:3128, direct",
        "HTTPS_PROXY, ' ', direct"
    })
    void a_variable_names_a_proxy_with_or_without_scheme_and_port(String name, String text, String expected)
            throws BadInputException {
        assertThat(selected(Proxies.of(Map.of(name, text)), "https://arm.test/"))
                .isEqualTo(expected);
    }

    @Test
    void upper_case_takes_precedence_unless_it_is_empty() throws BadInputException {
        assertThat(selected(Proxies.of(Map.of("HTTPS_PROXY", "a", "https_proxy", "b")), "https://arm.test/"))
                .isEqualTo("a:80");
        assertThat(selected(Proxies.of(Map.of("HTTPS_PROXY", "", "https_proxy", "b")), "https://arm.test/"))
                .isEqualTo("b:80");
        assertThat(selected(Proxies.of(Map.of("HTTPS_PROXY", " ", "https_proxy", "b")), "https://arm.test/"))
                .isEqualTo("b:80");
        assertThat(selected(Proxies.of(Map.of("HTTPS_PROXY", "a", "no_proxy", "arm.test")), "https://arm.test/"))
                .isEqualTo("direct");
        assertThat(selected(Proxies.NONE, "https://arm.test/")).isEqualTo("direct");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "socks5://proxy:1080",
                "socks5h://proxy:1080",
                "socks4://proxy:1080",
                "https://proxy",
                "ftp://proxy",
                "http://user:hunter2@proxy:3128",
                "http://hunter2@proxy:3128",
                "user:hunter2@proxy:3128",
                "http://user:p@hunter2@proxy:3128",
                "http://",
                "http://:3128",
                "http://proxy:0",
                "http://proxy:65536",
                "http://proxy:port",
                "http://proxy:-1",
                "http:proxy",
                "fd00::1",
                "not a proxy"
            })
    void a_proxy_that_cannot_be_used_is_refused_without_showing_its_password(String address) {
        for (String name : new String[] {"HTTPS_PROXY", "HTTP_PROXY"}) {
            assertThatThrownBy(() -> Proxies.of(Map.of(name, address)))
                    .isInstanceOf(BadInputException.class)
                    .hasMessageStartingWith(name + ": found \"")
                    .hasMessageContaining("must be an http proxy such as http://proxy:3128, without user and password")
                    .hasMessageNotContaining("hunter2");
        }
    }

    @Test
    void http_proxy_is_refused_where_a_client_may_have_set_it() {
        BadInputException refused = catchThrowableOfType(
                BadInputException.class, () -> Proxies.of(Map.of("HTTP_PROXY", "a", "REQUEST_METHOD", "GET")));

        assertThat(refused).hasMessageContaining("HTTP_PROXY: is set together with REQUEST_METHOD");
    }

    @Test
    void an_empty_request_method_counts_as_absent() throws BadInputException {
        Proxies proxies = Proxies.of(Map.of("HTTP_PROXY", "a", "REQUEST_METHOD", ""));
        assertThat(selected(proxies, "http://arm.test/")).isEqualTo("a:80");
    }

    @Test
    void https_proxy_is_not_affected_by_a_request_method() throws BadInputException {
        Proxies proxies = Proxies.of(Map.of("HTTPS_PROXY", "a", "REQUEST_METHOD", "GET"));

        assertThat(selected(proxies, "https://arm.test/")).isEqualTo("a:80");
    }

    @Test
    void every_bad_variable_is_reported() {
        BadInputException refused = catchThrowableOfType(
                BadInputException.class,
                () -> Proxies.of(Map.of("HTTP_PROXY", "ftp://a", "https_proxy", "socks5://b")));

        assertThat(refused.faults()).hasSize(2);
    }

    @Test
    void a_proxy_of_its_own_has_no_exceptions() {
        Proxies proxies = Proxies.always(ProxyAddress.ofUrl("http://proxy:3128"));

        assertThat(selected(proxies, "https://127.0.0.1/")).isEqualTo("proxy:3128");
        assertThat(selected(proxies, "http://arm.test/")).isEqualTo("proxy:3128");
    }

    @Test
    void the_variables_are_shown() throws BadInputException {
        assertThat(Proxies.of(BOTH).variables())
                .isEqualTo(Map.of(
                        "HTTPS_PROXY", "http://tls:3128",
                        "HTTP_PROXY", "http://plain:8080",
                        "NO_PROXY", "except.test:443"));
        assertThat(Proxies.of(Map.of("https_proxy", "tls", "no_proxy", " a, b "))
                        .variables())
                .isEqualTo(Map.of("HTTPS_PROXY", "http://tls:80", "HTTP_PROXY", "", "NO_PROXY", "a, b"));
        assertThat(Proxies.of(Map.of("http_proxy", "plain")).variables())
                .isEqualTo(Map.of("HTTPS_PROXY", "", "HTTP_PROXY", "http://plain:80", "NO_PROXY", ""));
        assertThat(Proxies.of(Map.of("NO_PROXY", "*")).variables()).isEmpty();
    }
}
