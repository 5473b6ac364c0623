package dev.poolkeeper.simulation.wire;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.FluxUtil;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A received response; if its body is shorter than announced, reading fails at its end. */
final class ArmResponse extends HttpResponse {

    private final Whole answer;
    private final HttpHeaders headers = new HttpHeaders();

    ArmResponse(HttpRequest request, Whole answer) {
        super(request);
        this.answer = answer;
        answer.headers().forEach((name, value) -> headers.set(HttpHeaderName.fromString(name), value));
    }

    @Override
    public int getStatusCode() {
        return answer.status();
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        Flux<ByteBuffer> body = Flux.defer(() -> Flux.just(ByteBuffer.wrap(answer.body())));
        return answer.announced() == answer.body().length
                ? body
                : body.concatWith(Mono.error(new IOException("fixed content-length: %d, bytes received: %d"
                        .formatted(answer.announced(), answer.body().length))));
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return FluxUtil.collectBytesInByteBufferStream(getBody());
    }

    @Override
    public Mono<String> getBodyAsString() {
        return getBodyAsString(StandardCharsets.UTF_8);
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return getBodyAsByteArray().map(bytes -> new String(bytes, charset));
    }
}
