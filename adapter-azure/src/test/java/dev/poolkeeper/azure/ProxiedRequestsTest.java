package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.contract.ConnectProxy;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.ports.Failure;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxiedRequestsTest {

    /** Named in the server's certificate, and unknown to DNS. */
    private static final URI ELSEWHERE = URI.create("https://arm.test");

    private ArmHarness harness;
    private ConnectProxy proxy;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        proxy = new ConnectProxy(harness.arm.address().getPort());
    }

    @AfterEach
    void stop() {
        proxy.close();
        harness.close();
    }

    private AzurePools pools(URI arm) throws Exception {
        HttpClient http =
                ArmHttp.clientTrusting(ScriptedArm.caFile(folder), Proxies.of(Map.of("HTTPS_PROXY", proxy.address())));
        return AzurePools.builder(
                        AzureSettings.of(AzureCloud.at(arm, arm), harness.settings.scope()),
                        ArmHarness.TOKEN,
                        http,
                        harness.time)
                .build();
    }

    @Test
    @Rule(
            id = "A31",
            says = "Requests to Azure, including those for tokens, go through the proxies that the environment names.",
            source = "golang.org/x/net/http/httpproxy")
    void a_request_goes_through_the_proxy_that_the_environment_names() throws Exception {
        // given
        harness.arm.then(200, Bodies.pool("10.0.0.4"));
        // when
        ok(pools(ELSEWHERE).read(SHOP_WEB));
        // then
        assertThat(proxy.asked()).containsExactly("CONNECT arm.test:443 HTTP/1.1");
    }

    @Test
    void a_request_to_a_loopback_address_does_not() throws Exception {
        // given
        harness.arm.then(200, Bodies.pool("10.0.0.4"));
        // when
        ok(pools(harness.arm.address()).read(SHOP_WEB));
        // then
        assertThat(proxy.asked()).isEmpty();
    }

    @Test
    void a_proxy_that_asks_for_credentials_is_named_and_asked_again() throws Exception {
        // given
        proxy.askForCredentials();
        AzurePools pools = pools(ELSEWHERE);
        String expected = "the proxy %s (HTTPS_PROXY) asks for credentials, which are not supported"
                .formatted(proxy.address().substring("http://".length()));
        // then
        for (Failure failure : List.of(failure(pools.read(SHOP_WEB)), failure(pools.list()))) {
            assertThat(failure).extracting("retriable").isEqualTo(true);
            assertThat(failure.describe()).contains(expected).doesNotContain("Exception");
        }
    }
}
