package dev.poolkeeper.emulators.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTlsTest {

    private final LoopbackTls tls = LoopbackTls.create(Instant.now());

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "::1"})
    void a_client_that_trusts_the_authority_reaches_the_server_by_its_names(String name) throws Exception {
        assertThat(handshake(tls.client(), name)).isEqualTo("CN=localhost");
    }

    @Test
    void the_certificate_is_not_valid_for_other_hosts() {
        assertThatThrownBy(() -> handshake(tls.client(), "example.com")).isInstanceOf(SSLException.class);
    }

    @Test
    void clients_without_the_authority_do_not_trust_the_server() {
        LoopbackTls other = LoopbackTls.create(Instant.now());

        assertThatThrownBy(() -> handshake(other.client(), "localhost")).isInstanceOf(SSLException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-01T00:00:00Z", "2049-12-31T23:59:59Z", "2077-01-01T00:00:00Z"})
    void the_authority_is_a_ca_valid_around_the_given_time(String time) throws Exception {
        Instant now = Instant.parse(time);
        byte[] pem = LoopbackTls.create(now).authorityPem().getBytes(StandardCharsets.US_ASCII);

        X509Certificate authority = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));

        authority.verify(authority.getPublicKey());
        authority.checkValidity(Date.from(now));
        assertThat(authority.getBasicConstraints()).isZero();
        assertThat(authority.getKeyUsage()[5]).isTrue(); // keyCertSign
        assertThat(authority.getNonCriticalExtensionOIDs()).contains("2.5.29.14"); // its key's identifier
    }

    /** The name in the server's certificate. */
    private String handshake(SSLContext client, String name) throws Exception {
        try (SSLServerSocket server = (SSLServerSocket)
                tls.server().getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread accepting = Thread.ofVirtual().start(() -> {
                try (SSLSocket socket = (SSLSocket) server.accept()) {
                    socket.startHandshake();
                } catch (IOException e) {
                    // the client reports the reason
                }
            });
            try (SSLSocket socket = (SSLSocket) client.getSocketFactory()
                    .createSocket(
                            new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort()),
                            name,
                            server.getLocalPort(),
                            true)) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                return socket.getSession().getPeerPrincipal().getName();
            } finally {
                accepting.join();
            }
        }
    }
}
