package dev.poolkeeper.core.examples;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The JDK's HTTP client with retries according to a policy and under a budget. Thread-safe; one for all requests. */
final class RetryingHttpClient {

    private final HttpClient client;
    private final CallRetries retries;
    private final Time time;

    RetryingHttpClient(HttpClient client, CallRetries retries, Time time) {
        this.client = client;
        this.retries = retries;
        this.time = time;
    }

    /**
     * Sends a request, with retries as policy and budget allow.
     *
     * @return the last response, whatever its status
     * @throws HttpTimeoutException if the request timed out, or its last attempt did
     * @throws IOException if the last attempt got no response for another reason
     */
    <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        boolean mayRepeat = CallRetries.IDEMPOTENT_METHODS.contains(request.method());
        Exchange exchange = (mayRepeat ? retries : CallRetries.NONE).begin(CallContext.unbound());
        try {
            while (true) {
                HttpResponse<T> answer = null;
                IOException error = new HttpTimeoutException("request timed out");
                Decision decision;
                try {
                    answer = attempt(request, body, exchange);
                    if (answer.statusCode() < 400) {
                        return answer;
                    }
                    decision = exchange.afterStatus(answer.statusCode());
                } catch (IOException e) {
                    error = e;
                    decision = exchange.afterConnectionError();
                }
                switch (decision) {
                    case Decision.Retry(Duration delay) -> time.sleep(delay);
                    case Decision.GiveUp(Reason reason) -> {
                        if (answer != null && reason != Reason.TIMED_OUT) {
                            return answer;
                        }
                        throw error;
                    }
                }
            }
        } finally {
            exchange.end();
        }
    }

    private <T> HttpResponse<T> attempt(HttpRequest request, BodyHandler<T> body, Exchange exchange)
            throws IOException, InterruptedException {
        Optional<Duration> limit = exchange.attemptTimeout();
        if (limit.filter(left -> !left.isPositive()).isPresent()) {
            throw new HttpTimeoutException("request timed out");
        }
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request, body);
        try {
            return limit.isPresent() ? time.await(answer, limit.get()) : answer.get();
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("request timed out");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            answer.cancel(true); // no effect once it has completed
        }
    }
}
