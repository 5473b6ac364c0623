package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.status.Statuses;
import dev.poolkeeper.contract.Rule;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostNamesTest {

    private static final HostNames HOSTS = new HostNames(List.of("keeper.corp.example"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:8095",
                "10.244.3.7",
                "[::1]:8095",
                "[fd00::7]",
                "localhost",
                "LocalHost:8095",
                "localhost.",
                "app.localhost:1",
                "poolkeeper:8095",
                "poolkeeper-metrics.kube-system.svc:8095",
                "poolkeeper-metrics.kube-system.svc.cluster.local",
                "keeper.corp.example:443",
                "Keeper.Corp.Example.",
                " localhost ",
                "pool_keeper-0z9",
                "a.localhost",
                "a.svc",
                "A.SVC.:80",
                "a.cluster.local.",
                "[FD00::7]:8095"
            })
    void names_that_no_stranger_can_own_are_answered(String host) {
        assertThat(HOSTS.allow(List.of(host))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8095",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "evil.example.",
                "a.b.svc.evil.example",
                "cluster.local.evil.example",
                "xkeeper.corp.example",
                "keeper.corp.example.evil.example",
                "user@evil.example",
                "127.0.0.1@evil.example",
                "[evil.example]",
                "",
                ":8095",
                "evil.example:80:localhost",
                ".",
                "localhost..",
                "asvc.example",
                "pool/keeper",
                "pool keeper",
                "pöolkeeper",
                "[::1"
            })
    void names_that_a_stranger_can_own_are_refused(String host) {
        assertThat(HOSTS.allow(List.of(host))).isFalse();
    }

    @Test
    void case_is_folded_whatever_the_letters_of_the_machine() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr"));
        try {
            assertThat(new HostNames(List.of("ingress.corp.example")).allow(List.of("INGRESS.CORP.EXAMPLE")))
                    .isTrue();
            assertThat(HostNames.USUAL.allow(List.of("METRICS-I"))).isTrue();
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void several_hosts_are_refused_and_none_is_no_browser() {
        assertThat(HOSTS.allow(List.of("localhost", "localhost"))).isFalse();
        assertThat(HOSTS.allow(List.of())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/statusz?format=json", "/metrics", "/livez", "/readyz", "/status.js", "/nothing"})
    @Rule(
            id = "X23",
            says = "The admin server answers only under IP addresses, localhost, names of the cluster and configured"
                    + " names, so that no web page can read it through a name of its own.",
            source = "ours")
    void every_page_checks_the_host(String path) throws Exception {
        try (AdminServer server = AdminServer.start(
                InetAddress.getLoopbackAddress(),
                0,
                HOSTS,
                new AdminServer.Content(
                        List::of,
                        List::of,
                        MetricSnapshots::of,
                        () -> Statuses.with(List.of()),
                        (service, pool, node) -> Optional.empty()))) {
            assertThat(answer(server, path, "evil.example:8095"))
                    .startsWith("HTTP/1.1 421 ")
                    .doesNotContain("pools");
            assertThat(answer(server, path, "keeper.corp.example")).doesNotStartWith("HTTP/1.1 421 ");
        }
    }

    private static String answer(AdminServer server, String path, String host) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
