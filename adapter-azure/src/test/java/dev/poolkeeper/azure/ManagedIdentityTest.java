package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.IdentityFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ManagedIdentityTest {

    /** Azure/azure-sdk-for-net#16718. ARM's ids are written in any case. */
    @ParameterizedTest
    @CsvSource({
        CLIENT + ", client_id=" + CLIENT,
        "/subscriptions/s/id, mi_res_id=%2Fsubscriptions%2Fs%2Fid",
        "/Subscriptions/s/id, mi_res_id=%2FSubscriptions%2Fs%2Fid",
        "' ', resource="
    })
    void a_managed_identity_asks_the_endpoint_from_the_environment_and_again_if_its_token_is_refused(
            String identity, String parameter) throws Exception {
        // given: the identity's endpoint is in the environment, hence a separate process
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-IDENTITY-HEADER"));
            byte[] body = ("{\"access_token\": \"managed-" + asked.size()
                            + "\", \"token_type\": \"Bearer\", \"resource\": \"r\", \"expires_on\":"
                            + " \""
                            + (System.currentTimeMillis() / 1000 + 3600) + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            // when
            ProcessBuilder child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            ManagedIdentityProbe.class.getName(),
                            identity)
                    .redirectErrorStream(true);
            child.environment().keySet().removeIf(key -> key.startsWith("AZURE_") || key.startsWith("MSI_"));
            child.environment()
                    .putAll(Map.of(
                            "IDENTITY_ENDPOINT",
                            "http://localhost:" + server.getAddress().getPort() + "/msi/token",
                            "IDENTITY_HEADER",
                            "header"));
            Process process = child.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            // then
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said).contains("managed-1 managed-1 managed-2");
            assertThat(asked)
                    .hasSize(2)
                    .allSatisfy(one -> assertThat(one)
                            .contains("resource=https%3A%2F%2Fmanagement.core.windows.net", parameter)
                            .matches(url -> url.contains("client_id=") == parameter.startsWith("client_id="))
                            .matches(url -> url.contains("mi_res_id=") == parameter.startsWith("mi_res_id="))
                            .endsWith(" header"));
        } finally {
            server.stop(0);
        }
    }
}
