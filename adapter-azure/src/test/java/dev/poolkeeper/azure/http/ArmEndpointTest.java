package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArmEndpointTest {

    @ParameterizedTest
    @CsvSource({
        "https://management.azure.com, https://management.azure.com/operations/1, true",
        "https://management.azure.com, HTTPS://Management.Azure.COM/operations/1, true",
        "https://Management.Azure.com/, https://management.azure.com/operations/1, true",
        "https://management.azure.com, https://management.azure.com:443/operations/1, true",
        "https://management.azure.com:443, https://management.azure.com/operations/1, true",
        "https://management.azure.com, https://WestEurope.management.azure.com/operations/1, true",
        "https://management.azure.com, https://management.azure.com:8443/operations/1, false",
        "https://management.azure.com, http://management.azure.com/operations/1, false",
        "https://management.azure.com, https://evilmanagement.azure.com/operations/1, false",
        "https://management.azure.com, https://azure.com/operations/1, false",
        "https://management.azure.com, https://management.azure.com.evil.example/operations/1, false",
        "https://management.azure.com, https://user@management.azure.com/operations/1, false",
        "https://management.azure.com, /operations/1, false",
        "https://management.azure.com, operations, false",
        "https://management.azure.com, 'https://management.azure.com/ /1', false",
        "https://management.azure.com, '', false",
        "https://[::1]:7443, https://[::1]:7443/operations/1, true",
        "https://[::1]:7443, https://[::2]:7443/operations/1, false"
    })
    void a_token_is_sent_to_arm_only(String endpoint, String other, boolean trusted) {
        assertThat(new ArmEndpoint(URI.create(endpoint)).isTrusted(other)).isEqualTo(trusted);
    }
}
