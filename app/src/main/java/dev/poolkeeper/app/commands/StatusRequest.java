package dev.poolkeeper.app.commands;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Requests the status of a running daemon. */
final class StatusRequest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The largest number of pools that a daemon returns at once. */
    private static final int MOST = 20_000;

    private StatusRequest() {}

    /**
     * The status as JSON.
     *
     * @param pages the address of the daemon's pages or of its status page
     * @throws IOException if no daemon responds there; the message suggests what to do
     */
    static String send(URI pages, Optional<String> service, Optional<String> node)
            throws IOException, InterruptedException {
        String path = Optional.ofNullable(pages.getRawPath())
                .filter(given -> given.endsWith("/statusz"))
                .orElse("/statusz");
        URI uri = pages.resolve(
                path + "?format=json&limit=" + MOST + parameter("service", service) + parameter("node", node));
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException(
                        "%s: HTTP %s, not the status page of a daemon".formatted(pages, answer.statusCode()));
            }
            return answer.body();
        } catch (ConnectException e) {
            throw new IOException(
                    "%s: no connection; is the daemon running, and its port forwarded?".formatted(pages), e);
        } catch (HttpTimeoutException e) {
            throw new IOException("%s: no response within %s s".formatted(pages, PATIENCE.toSeconds()), e);
        }
    }

    private static String parameter(String name, Optional<String> value) {
        return value.map(text -> "&" + name + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8))
                .orElse("");
    }
}
