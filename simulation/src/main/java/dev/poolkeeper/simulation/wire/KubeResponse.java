package dev.poolkeeper.simulation.wire;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The head of a response of the API server. */
final class KubeResponse extends StandardHttpHeaders implements HttpResponse<AsyncBody> {

    private final HttpRequest request;
    private final int status;
    private final AsyncBody body;

    KubeResponse(HttpRequest request, int status, Map<String, String> headers, AsyncBody body) {
        super(headers.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue()))));
        this.request = request;
        this.status = status;
        this.body = body;
    }

    @Override
    public int code() {
        return status;
    }

    @Override
    public AsyncBody body() {
        return body;
    }

    @Override
    public HttpRequest request() {
        return request;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
        return Optional.empty();
    }
}
