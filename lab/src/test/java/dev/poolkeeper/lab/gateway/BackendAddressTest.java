package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.input.BadInputException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackendAddressTest {

    @ParameterizedTest
    @CsvSource({
        "web=h:1, '', web, h:1",
        "shop/web=h:65535, shop, web, h:65535",
        "0-a/1.b-2=Host-1.Example.:080, 0-a, 1.b-2, Host-1.Example.:80",
        "web=192.0.2.1:8080, '', web, 192.0.2.1:8080",
        "web=[2001:db8::aF]:8080, '', web, [2001:db8::aF]:8080",
        "web=[::1]:1, '', web, [::1]:1"
    })
    void an_address_names_a_service_and_its_host_and_port(String text, String namespace, String name, String authority)
            throws Exception {
        BackendAddress address = BackendAddress.parse(text);
        assertThat(address).isEqualTo(new BackendAddress(namespace, name, authority));
        assertThat(address.service()).isEqualTo(namespace.isEmpty() ? name : namespace + "/" + name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "web",
                "web=",
                "web=h",
                "web=h:",
                "web=h:0",
                "web=h:00000",
                "web=h:65536",
                "web=h:99999",
                "web=h:000080",
                "web=h:-1",
                "web=h:1 ",
                "=h:1",
                "/web=h:1",
                "shop/=h:1",
                "a/b/web=h:1",
                "Web=h:1",
                "Shop/web=h:1",
                "-web=h:1",
                "sh.op/web=h:1",
                "web=::1:1",
                "web=[::1:1",
                "web=[::1]",
                "web=[]:1",
                "web=http://h:1"
            })
    void anything_else_is_refused(String text) {
        assertThatThrownBy(() -> BackendAddress.parse(text))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("--backend: found \"" + text + "\", must be NAME=HOST:PORT");
    }

    @ParameterizedTest
    @CsvSource({
        "web=h:1, shop, web, true",
        "shop/web=h:1, shop, web, true",
        "shop/web=h:1, other, web, false",
        "web=h:1, shop, api, false",
        "shop/web=h:1, shop, api, false"
    })
    void it_is_that_of_a_service_of_its_name_and_namespace(String text, String namespace, String name, boolean isOf)
            throws Exception {
        assertThat(BackendAddress.parse(text).isOf(namespace, name)).isEqualTo(isOf);
    }
}
