package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpResponse;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Reads a whole response into memory.
 *
 * @param refusals the request-specific failure for an error response
 */
record WholeReader(Function<ArmAnswer, Optional<Failure>> refusals) implements AnswerReader<ArmAnswer> {

    @Override
    public SizeLimit limit() {
        return SizeLimit.RESOURCE;
    }

    @Override
    public Mono<Received<ArmAnswer>> read(HttpResponse response) {
        return AnswerReader.whole(response).map(answer -> new Received<>(answer, Reply.ok(answer)));
    }

    @Override
    public Optional<Failure> refusal(ArmAnswer answer) {
        return refusals.apply(answer);
    }
}
