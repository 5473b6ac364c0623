package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.time.Instant;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * The last policy of the pipeline: lets a request pass, or ends it with {@link FencedException} or
 * {@link GateShutException}. Because it is last, it stops a request that waited for a token while this process lost its
 * leadership or the resource lock, or another request closed the gate; also one that the SDK repeats with a new token.
 */
final class GatePolicy implements HttpPipelinePolicy {

    /** The key of the {@link ArmRequest} in a request's context. */
    static final String REQUEST = "dev.poolkeeper.azure.http.request";

    private final Gates gates;

    GatePolicy(Gates gates) {
        this.gates = gates;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        if (!(context.getData(REQUEST).orElse(null) instanceof ArmRequest request)) {
            return Mono.error(new IllegalStateException("the context contains no request"));
        }
        if (request.isFenced()) {
            return Mono.error(new FencedException());
        }
        Optional<Instant> shutUntil = gates.tryPass(request);
        return shutUntil.isPresent() ? Mono.error(new GateShutException(shutUntil.get())) : next.process();
    }
}
