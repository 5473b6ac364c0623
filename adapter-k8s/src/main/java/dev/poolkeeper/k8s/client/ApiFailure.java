package dev.poolkeeper.k8s.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.ports.ForeignText;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.EOFException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.GeneralSecurityException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Describes why a request to the API server failed: the API server's message, or the root cause, which Fabric8 and the
 * JDK's HTTP client wrap several times, often without a message. Never contains a bearer token.
 */
public final class ApiFailure {

    /** The response of a proxy that did not connect to the API server. Fabric8 does not tell which proxy it was. */
    public static final String PROXY_ASKS = "the proxy to the API server, from HTTPS_PROXY, HTTP_PROXY or proxy-url in"
            + " the kubeconfig, asks for credentials, which are not supported";

    private static final ObjectMapper JSON = ObjectJson.mapper();
    private static final int LONGEST = 300;
    private static final String OTHER_CA = "the API server's certificate is not signed by the configured CA";
    private static final Pattern TOKEN = Pattern.compile("(?i)(bearer[\\s\\p{Z}?]+)[^\\s\"']+");

    private ApiFailure() {}

    /** One line without a full stop at its end, such as {@code HTTP 403 Forbidden: services is forbidden: …}. */
    public static String cause(Throwable failure) {
        List<Throwable> chain = chain(failure);
        return chain.stream()
                .map(ApiFailure::answer)
                .flatMap(Stream::ofNullable)
                .findFirst()
                .or(() -> chain.reversed().stream()
                        .map(ApiFailure::known)
                        .flatMap(Stream::ofNullable)
                        .findFirst())
                .orElseGet(() -> innermostMessage(chain));
    }

    /** The HTTP status code of the response; 0 if there was no response. */
    public static int status(Throwable failure) {
        return chain(failure).stream()
                .filter(KubernetesClientException.class::isInstance)
                .mapToInt(one -> ((KubernetesClientException) one).getCode())
                .filter(code -> code > 0)
                .findFirst()
                .orElse(0);
    }

    /** The {@code Status} with which an API server refuses; empty for what a proxy in front of it may answer. */
    public static Optional<Status> refusal(@Nullable String body) {
        try {
            return body == null ? Optional.empty() : Optional.ofNullable(JSON.readValue(body, Status.class));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable one = failure; one != null && seen.add(one); one = one.getCause()) {
            chain.add(one);
        }
        return chain;
    }

    private static @Nullable String answer(Throwable one) {
        if (!(one instanceof KubernetesClientException failed) || failed.getCode() <= 0) {
            return null;
        }
        Status status = failed.getStatus();
        String reason = status == null || status.getReason() == null ? "" : " " + status.getReason();
        String message = status == null || status.getMessage() == null ? "" : ": " + status.getMessage();
        return oneLine("HTTP " + failed.getCode() + reason + message);
    }

    private static @Nullable String known(Throwable one) {
        return switch (one) {
            case UnresolvedAddressException e -> "the host name cannot be resolved";
            case UnknownHostException e -> "the host name cannot be resolved";
            case HttpConnectTimeoutException e -> "timed out connecting";
            case HttpTimeoutException e -> "timed out waiting for the response";
            case TimeoutException e -> "timed out waiting for the response";
            case ConnectException e when e.getMessage() == null -> "connection refused, or the network is unreachable";
            case EOFException e -> "the connection was closed without a response";
            case InterruptedException e -> "interrupted";
            case InterruptedIOException e -> "interrupted";
            case CertPathBuilderException e -> OTHER_CA;
            case SignatureException e -> OTHER_CA; // a CA of the same name
            case CertificateExpiredException e -> "the API server's certificate has expired";
            case GeneralSecurityException e -> "TLS: " + message(e);
            case SSLException e -> "TLS: " + message(e);
            case Throwable e
            when e.getClass().getName().startsWith("com.fasterxml.jackson.") ->
                "not the response of an API server: it is not the JSON of a Kubernetes object";
            case IllegalArgumentException e
            when e.getMessage() != null && e.getMessage().startsWith("invalid header value") ->
                "a header value, such as a token, contains characters that HTTP does not allow";
            case NullPointerException e when isWithoutBody(e) -> PROXY_ASKS;
            default -> null;
        };
    }

    /**
     * Whether Fabric8 failed at a response without a body, not even an empty one. The JDK's client returns that only if
     * the proxy answers CONNECT with 407.
     */
    private static boolean isWithoutBody(NullPointerException e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith("io.fabric8.kubernetes.client.http.");
    }

    private static String innermostMessage(List<Throwable> chain) {
        return chain.reversed().stream()
                .filter(one -> one.getMessage() != null && !one.getMessage().isBlank())
                .map(ApiFailure::message)
                .findFirst()
                .orElseGet(() -> chain.getLast().getClass().getSimpleName());
    }

    private static String message(Throwable one) {
        String message = one.getMessage();
        return oneLine(message == null || message.isBlank() ? one.getClass().getSimpleName() : message);
    }

    private static String oneLine(String text) {
        String line = ForeignText.line(text.strip());
        line = TOKEN.matcher(line).replaceAll("$1…");
        if (line.length() > LONGEST) {
            line = line.substring(0, LONGEST) + "…";
        }
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }
}
