package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpResponse;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Reads a response while its exchange is in progress. */
interface AnswerReader<T> {

    /** The size limit of the body. */
    SizeLimit limit();

    /** The request-specific failure for an error response, if any. */
    default Optional<Failure> refusal(ArmAnswer answer) {
        return Optional.empty();
    }

    /** Reads the response; a failure if it is invalid. */
    Mono<Received<T>> read(HttpResponse response);

    /**
     * A response that was read completely.
     *
     * @param reply its contents, or the failure
     */
    record Received<T>(ArmAnswer answer, Reply<T> reply) {}

    /** Reads the response with its whole body, unless that is too large. */
    static Mono<ArmAnswer> whole(HttpResponse response) {
        return response.getBodyAsByteArray()
                .defaultIfEmpty(new byte[0])
                .<AnswerBody>map(AnswerBody.Whole::new)
                .onErrorResume(
                        AnswerTooLargeException.class, tooLarge -> Mono.just(new AnswerBody.TooLarge(tooLarge.limit())))
                .map(body -> new ArmAnswer(response.getStatusCode(), response.getHeaders(), body));
    }
}
