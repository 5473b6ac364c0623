package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.emulators.arm.RecordedSession.Interaction;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSession;

/** A recorded response as a client gets it. */
record RecordedAnswer(Interaction interaction) implements HttpResponse<String> {

    static HttpResponse<String> of(Interaction interaction) {
        return new RecordedAnswer(interaction);
    }

    @Override
    public int statusCode() {
        return interaction.status();
    }

    @Override
    public HttpHeaders headers() {
        return HttpHeaders.of(
                interaction.answered().entrySet().stream()
                        .collect(Collectors.toMap(header -> header.getKey(), header -> List.of(header.getValue()))),
                (name, value) -> true);
    }

    @Override
    public String body() {
        return interaction.answer();
    }

    @Override
    public HttpRequest request() {
        return HttpRequest.newBuilder(uri()).build();
    }

    @Override
    public Optional<HttpResponse<String>> previousResponse() {
        return Optional.empty();
    }

    @Override
    public Optional<SSLSession> sslSession() {
        return Optional.empty();
    }

    @Override
    public URI uri() {
        return URI.create(interaction.url());
    }

    @Override
    public HttpClient.Version version() {
        return HttpClient.Version.HTTP_1_1;
    }
}
