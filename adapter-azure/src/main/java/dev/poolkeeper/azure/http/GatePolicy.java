package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.time.Instant;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * The last policy of the pipeline: lets a request pass the gate, or ends it with {@link GateShutException}. Because it
 * is last, it stops a request that waited for a token while another request closed the gate.
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
        Optional<Instant> shutUntil = gates.tryPass(request);
        return shutUntil.isPresent() ? Mono.error(new GateShutException(shutUntil.get())) : next.process();
    }
}
