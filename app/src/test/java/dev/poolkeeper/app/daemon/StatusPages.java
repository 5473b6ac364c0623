package dev.poolkeeper.app.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.DoubleStream;

/** A daemon's pages, as a browser or a probe sees them. */
public final class StatusPages {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    /** @param address host and port */
    StatusPages(String address) {
        this.address = address;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .timeout(PATIENCE)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    public JsonNode status() throws IOException, InterruptedException {
        return MAPPER.readTree(get("/statusz?format=json").body());
    }

    boolean isReady() throws IOException, InterruptedException {
        return get("/readyz").statusCode() == 200;
    }

    boolean isLeading() throws IOException, InterruptedException {
        return status().at("/cluster/election/leading").asBoolean();
    }

    /** Host and port. */
    String address() {
        return address;
    }

    /** The value of a metric without labels, or of the first one with them; NaN if there is none. */
    double metric(String name) throws IOException, InterruptedException {
        return metrics(name).findFirst().orElse(Double.NaN);
    }

    /** The values of a metric, one for each combination of its labels. */
    DoubleStream metrics(String name) throws IOException, InterruptedException {
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)));
    }
}
