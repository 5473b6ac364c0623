package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class GatewayPagesTest {

    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** The whole response, in which | ends a line. */
    private static String answer(String request) throws Exception {
        GatewayMetrics metrics = new GatewayMetrics(Map::of);
        try (GatewayPages pages = GatewayPages.start(ANY, metrics, () -> "<html>compared");
                Socket socket =
                        new Socket(pages.address().getAddress(), pages.address().getPort())) {
            socket.getOutputStream().write(request.replace("|", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.replace("\r\n", "|").replace("\n", "|");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        GET /         ~ 200 ~ text/plain; version=0.0.4; charset=utf-8 ~ /compare  what was measured
        GET /?x=y     ~ 200 ~ text/plain; version=0.0.4; charset=utf-8 ~ /compare  what was measured
        GET /metrics  ~ 200 ~ text/plain; version=0.0.4; charset=utf-8 ~ # HELP poolkeeper_gateway_requests_total
        GET /compare  ~ 200 ~ text/html; charset=utf-8                 ~ <html>compared
        GET /livez    ~ 200 ~ text/plain; version=0.0.4; charset=utf-8 ~ ok|
        GET /metrics/ ~ 404 ~ text/plain; version=0.0.4; charset=utf-8 ~ not found; available: /metrics, /compare and
        GET /Livez    ~ 404 ~ text/plain; version=0.0.4; charset=utf-8 ~ not found; available: /metrics, /compare and
        GET /readyz   ~ 404 ~ text/plain; version=0.0.4; charset=utf-8 ~ not found; available: /metrics, /compare and
        POST /        ~ 405 ~ text/plain; version=0.0.4; charset=utf-8 ~ only GET is allowed|
        PUT /metrics  ~ 405 ~ text/plain; version=0.0.4; charset=utf-8 ~ only GET is allowed|
        DELETE /livez ~ 405 ~ text/plain; version=0.0.4; charset=utf-8 ~ only GET is allowed|
        POST /other   ~ 405 ~ text/plain; version=0.0.4; charset=utf-8 ~ only GET is allowed|
        """)
    void each_page_has_its_status_type_and_text(String line, int status, String type, String text) throws Exception {
        String answer = answer(line + " HTTP/1.1|Host: 127.0.0.1:1|Content-Length: 0||");
        assertThat(answer).startsWith("HTTP/1.1 " + status + " ").containsIgnoringCase("|Content-Type: " + type + "|");
        assertThat(answer.substring(answer.indexOf("||") + 2)).startsWith(text);
        assertThat(answer.contains("|Allow: GET|")).isEqualTo(status == 405);
        assertThat(answer.contains("|Connection: close|")).isEqualTo(status == 405);
    }

    /** Else a page of another origin could read them, once its name leads here. */
    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        Host: localhost:80|              ~ 200
        Host: [::1]:80|                  ~ 200
        Host: gateway.shop.svc|          ~ 200
        Host: evil.example|              ~ 421
        Host: evil.example.:80|          ~ 421
        Host: localhost|Host: localhost| ~ 421
        """)
    void a_name_that_is_not_its_own_is_refused(String hosts, int status) throws Exception {
        for (String path : new String[] {"/", "/metrics", "/compare", "/livez", "/other"}) {
            assertThat(answer("GET " + path + " HTTP/1.1|" + hosts + "|"))
                    .as(path)
                    .startsWith("HTTP/1.1 " + (path.equals("/other") && status == 200 ? 404 : status) + " ");
        }
    }

    @Test
    void closed_pages_give_their_port_back() throws Exception {
        GatewayMetrics metrics = new GatewayMetrics(Map::of);
        InetSocketAddress address;
        try (GatewayPages pages = GatewayPages.start(ANY, metrics, () -> "")) {
            address = pages.address();
        }
        try (GatewayPages again = GatewayPages.start(address, metrics, () -> "")) {
            assertThat(again.address()).isEqualTo(address);
        }
    }
}
