package dev.poolkeeper.app.telemetry;

import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where OTLP is sent, and with which headers. The SDK shows their values when it refuses them, which may be secrets,
 * and accepts some with which every export fails.
 */
final class OtlpVariables {

    private static final List<String> SIGNALS = List.of("traces", "metrics", "logs");
    private static final String PREFIX = "otel.exporter.otlp.";

    private final ConfigProperties found;

    private OtlpVariables(ConfigProperties found) {
        this.found = found;
    }

    /**
     * Adds no settings.
     *
     * @throws ConfigurationException if an exporter that is used could send nothing; the message shows no secret
     */
    static Map<String, String> check(ConfigProperties found) {
        OtlpVariables variables = new OtlpVariables(found);
        if (!found.getBoolean("otel.sdk.disabled", false)) {
            SIGNALS.stream()
                    .filter(signal ->
                            found.getList("otel." + signal + ".exporter").contains("otlp"))
                    .flatMap(signal -> List.of(PREFIX, PREFIX + signal + ".").stream())
                    .forEach(variables::check);
        }
        return Map.of();
    }

    private void check(String prefix) {
        String endpoint = found.getString(prefix + "endpoint", "");
        if (!endpoint.isEmpty() && !isEndpoint(endpoint)) {
            throw fault(
                    prefix + "endpoint",
                    "\"" + endpoint.replaceFirst("//.*@", "//***@")
                            + "\", must be an http or https address without user");
        }
        if (!areHeaders(prefix + "headers")) {
            throw fault(
                    prefix + "headers",
                    "***, must be headers such as NAME=VALUE, separated by commas; their values in percent-encoding");
        }
    }

    private static ConfigurationException fault(String property, String problem) {
        String variable = property.toUpperCase(Locale.ROOT).replace('.', '_');
        return new ConfigurationException(variable + ": found " + problem);
    }

    private static boolean isEndpoint(String text) {
        try {
            URI uri = new URI(text);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            return List.of("http", "https").contains(scheme) && uri.getHost() != null && uri.getRawUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Whether the client that exports can send them. */
    private boolean areHeaders(String property) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder();
            found.getMap(property)
                    .forEach((name, value) -> request.header(name, URLDecoder.decode(value, StandardCharsets.UTF_8)));
            return true;
        } catch (ConfigurationException | IllegalArgumentException e) {
            return false;
        }
    }
}
