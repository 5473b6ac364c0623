package dev.poolkeeper.simulation.wire;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The Azure SDK's HTTP client over a {@link Way}. */
public final class ArmTransport implements HttpClient {

    private final Way way;

    public ArmTransport(Way way) {
        this.way = way;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return Mono.create(sink -> {
            Way.Sent exchange = way.send(call(request), part -> answered(request, part, sink));
            sink.onDispose(exchange::abandon);
        });
    }

    private static HttpCall call(HttpRequest request) {
        Map<String, List<String>> headers = new HashMap<>();
        request.getHeaders().forEach(header -> headers.put(header.getName(), header.getValuesList()));
        byte[] body = request.getBodyAsBinaryData() == null
                ? new byte[0]
                : request.getBodyAsBinaryData().toBytes();
        return HttpCall.of(
                request.getHttpMethod().toString(), URI.create(request.getUrl().toString()), headers, body);
    }

    private static void answered(HttpRequest request, AnswerPart part, MonoSink<HttpResponse> sink) {
        switch (part) {
            case Whole whole -> sink.success(new ArmResponse(request, whole));
            case Dropped dropped -> sink.error(new IOException("the connection was closed without a response"));
            case AnswerPart.Head other -> sink.error(new IllegalStateException("ARM does not stream"));
            case AnswerPart.Frame other -> sink.error(new IllegalStateException("ARM does not stream"));
            case AnswerPart.End other -> sink.error(new IllegalStateException("ARM does not stream"));
        }
    }
}
