package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.AddDatePolicy;
import com.azure.core.http.policy.RequestIdPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The SDK's pipeline with ARM's authentication, without the SDK's retries, logging and provider registration, so that
 * one request is one HTTP exchange. Thread-safe.
 */
final class ArmPipeline {

    private static final String USER_AGENT = "poolkeeper";
    private static final String JSON = "application/json";

    private final HttpPipeline pipeline;

    ArmPipeline(ArmConnection connection, Gates gates) {
        this.pipeline = new HttpPipelineBuilder()
                .policies(
                        new UserAgentPolicy(USER_AGENT),
                        new RequestIdPolicy(),
                        new AddDatePolicy(),
                        new TokenPolicy(connection.tokens(), connection.scope()),
                        new GatePolicy(gates))
                .httpClient(BoundedHttpClient.of(connection.http()))
                .build();
    }

    /**
     * Sends the request; the caller reads the response body.
     *
     * @param traceHeaders the headers that join it to a trace
     */
    Mono<HttpResponse> send(ArmRequest request, Map<String, String> traceHeaders, SizeLimit limit) {
        HttpRequest http = new HttpRequest(HttpMethod.valueOf(request.purpose().method()), request.address())
                .setHeader(HttpHeaderName.ACCEPT, JSON);
        traceHeaders.forEach((name, value) -> http.setHeader(HttpHeaderName.fromString(name), value));
        if (request.update() != null) {
            http.setHeader(HttpHeaderName.IF_MATCH, request.update().etag())
                    .setHeader(HttpHeaderName.CONTENT_TYPE, JSON)
                    .setBody(BinaryData.fromBytes(request.update().body()));
        }
        return pipeline.send(http, BoundedHttpClient.with(new Context(GatePolicy.REQUEST, request), limit));
    }
}
