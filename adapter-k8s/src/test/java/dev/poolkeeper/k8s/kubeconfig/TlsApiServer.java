package dev.poolkeeper.k8s.kubeconfig;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A TLS socket on the loopback interface that shows what a client sends, in the handshake and in headers. */
final class TlsApiServer implements AutoCloseable {

    private static final byte[] NODES = "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[]}"
            .getBytes(StandardCharsets.UTF_8);

    static final HeldCertificate AUTHORITY = authority("CN of the authority");

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final CountDownLatch watchesMayEnd = new CountDownLatch(1);
    private volatile Predicate<Seen> allows = any -> true;

    /**
     * @param path of the request
     * @param headers by lower-case name
     * @param askedFor the server name in the handshake; empty for none
     * @param client the subject of the client certificate; empty for none
     */
    record Seen(String path, Map<String, List<String>> headers, String askedFor, String client) {

        String authorization() {
            return String.join(",", headers.getOrDefault("authorization", List.of()));
        }
    }

    static HeldCertificate authority(String name) {
        return new HeldCertificate.Builder()
                .commonName(name)
                .certificateAuthority(1)
                .build();
    }

    /** @param names the host names and addresses in its certificate */
    TlsApiServer(String... names) throws IOException {
        HeldCertificate.Builder certificate = new HeldCertificate.Builder().signedBy(AUTHORITY);
        for (String name : names) {
            certificate.addSubjectAlternativeName(name);
        }
        HandshakeCertificates handshake = new HandshakeCertificates.Builder()
                .heldCertificate(certificate.build())
                .addTrustedCertificate(AUTHORITY.certificate())
                .build();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(handshake.sslContext()) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters tls = getSSLContext().getDefaultSSLParameters();
                tls.setWantClientAuth(true);
                parameters.setSSLParameters(tls);
            }
        });
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    List<Seen> seen() {
        return seen;
    }

    /** Answers 401 to all other requests. */
    void allow(Predicate<Seen> which) {
        allows = which;
    }

    /** The watches that are open get one more line and end. */
    void endWatches() {
        watchesMayEnd.countDown();
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            Seen one = new Seen(
                    exchange.getRequestURI().getPath(), headers(exchange), askedFor(exchange), client(exchange));
            seen.add(one);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            boolean isAllowed = allows.test(one);
            if (isAllowed && "watch=true".equals(exchange.getRequestURI().getQuery())) {
                watch(exchange);
                return;
            }
            exchange.sendResponseHeaders(isAllowed ? 200 : 401, isAllowed ? NODES.length : -1);
            if (isAllowed) {
                exchange.getResponseBody().write(NODES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watch(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("first\n".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        watchesMayEnd.await();
        exchange.getResponseBody().write("last\n".getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, List<String>> headers(HttpExchange exchange) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(exchange.getRequestHeaders());
        return headers;
    }

    private static String askedFor(HttpExchange exchange) {
        ExtendedSSLSession session = (ExtendedSSLSession) ((HttpsExchange) exchange).getSSLSession();
        return session.getRequestedServerNames().stream()
                .map(name -> ((SNIHostName) name).getAsciiName())
                .findFirst()
                .orElse("");
    }

    private static String client(HttpExchange exchange) {
        try {
            return ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return "";
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
