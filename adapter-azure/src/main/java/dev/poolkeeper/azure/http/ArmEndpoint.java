package dev.poolkeeper.azure.http;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** ARM's endpoint. Immutable. */
public final class ArmEndpoint {

    private final URI address;

    /** @param address absolute, https */
    public ArmEndpoint(URI address) {
        this.address = address;
    }

    /** The URL of the resource with this id, whose names are not yet encoded. */
    public String of(String id, String apiVersion) {
        String path = Arrays.stream(id.split("/", -1))
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
        return address.resolve(path + "?api-version=" + apiVersion).toString();
    }

    /**
     * Whether a token may be sent to this URL: over https to ARM's own host and port or, like ARM's regional endpoints,
     * to a subdomain of it.
     */
    public boolean isTrusted(String other) {
        try {
            URI uri = URI.create(other);
            String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
            String own = address.getHost().toLowerCase(Locale.ROOT);
            return "https".equalsIgnoreCase(uri.getScheme())
                    && uri.getRawUserInfo() == null
                    && port(uri) == port(address)
                    && (host.equals(own) || host.endsWith("." + own));
        } catch (IllegalArgumentException e) { // not a URL
            return false;
        }
    }

    private static int port(URI uri) {
        return uri.getPort() < 0 ? 443 : uri.getPort();
    }
}
