package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpResponse;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.Optional;
import reactor.core.publisher.Mono;

/** Reads an answer while it is still part of the exchange. */
interface AnswerReader<T> {

    /** The largest body that it reads. */
    SizeLimit limit();

    /** What an answer that is no success means to this request alone. */
    default Optional<Failure> refusal(ArmAnswer answer) {
        return Optional.empty();
    }

    /** What the answer says; a failure where it does not say what it should. */
    Mono<Received<T>> read(HttpResponse response);

    /**
     * An answer that was read to its end.
     *
     * @param reply what was read, or why it is of no use
     */
    record Received<T>(ArmAnswer answer, Reply<T> reply) {}

    /** The answer with its whole body, unless that is too large. */
    static Mono<ArmAnswer> whole(HttpResponse response) {
        return response.getBodyAsByteArray()
                .defaultIfEmpty(new byte[0])
                .<AnswerBody>map(AnswerBody.Whole::new)
                .onErrorResume(
                        AnswerTooLargeException.class, tooLarge -> Mono.just(new AnswerBody.TooLarge(tooLarge.limit())))
                .map(body -> new ArmAnswer(response.getStatusCode(), response.getHeaders(), body));
    }
}
