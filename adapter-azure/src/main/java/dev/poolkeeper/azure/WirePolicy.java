package dev.poolkeeper.azure;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import java.time.Instant;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * The pipeline's last policy, next to the wire: asks the gate, adds {@code If-Match} to the PUT it is meant for and
 * what joins the request to a trace, reads the whole answer while it is still part of the exchange, keeps it for
 * {@link ArmExchange}, and shuts the gate on a 429. Being last, it lets no request out that had to wait for a token
 * while the gate was shut by another.
 */
final class WirePolicy implements HttpPipelinePolicy {

    private final Gates gates;

    WirePolicy(Gates gates) {
        this.gates = gates;
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        if (!(context.getData(Attempt.KEY).orElse(null) instanceof Attempt attempt)) {
            return Mono.error(new IllegalStateException("a request without an attempt"));
        }
        ArmRequest request = attempt.request();
        Optional<Instant> shutUntil = gates.tryPass(request);
        if (shutUntil.isPresent()) {
            return Mono.error(new GateShutException(shutUntil.get()));
        }
        context.getHttpRequest().getHeaders().remove(HttpHeaderName.IF_MATCH);
        if (request.ifMatch() != null && context.getHttpRequest().getHttpMethod() == HttpMethod.PUT) {
            context.getHttpRequest().setHeader(HttpHeaderName.IF_MATCH, request.ifMatch());
        }
        attempt.headers()
                .forEach((name, value) -> context.getHttpRequest().setHeader(HttpHeaderName.fromString(name), value));
        return next.process().flatMap(response -> keep(attempt, response.buffer()));
    }

    private Mono<HttpResponse> keep(Attempt attempt, HttpResponse response) {
        return response.getBodyAsByteArray().defaultIfEmpty(new byte[0]).map(body -> {
            ArmAnswer answer = new ArmAnswer(response.getStatusCode(), response.getHeaders(), body);
            if (answer.status() == 429) {
                attempt.throttledUntil(gates.throttled(attempt.request(), answer));
            }
            attempt.answered(answer);
            return response;
        });
    }
}
