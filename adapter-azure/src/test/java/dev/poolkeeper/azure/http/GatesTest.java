package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.Context;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.retry.RetryAfter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class GatesTest {

    private final FakeTime time = new FakeTime();

    private Instant in(int seconds) {
        return time.instant().plusSeconds(seconds);
    }

    @Test
    void a_shorter_wait_never_opens_a_gate_before_the_longer_one_it_already_has() {
        // given
        ThrottlingGate gate = new ThrottlingGate(time, null);
        gate.shut(new RetryAfter.At(in(60)));
        // when
        gate.shut(new RetryAfter.At(in(5)));
        time.advance(Duration.ofSeconds(59));
        // then
        assertThat(gate.shutUntil()).isPresent();
        time.advance(Duration.ofSeconds(1));
        assertThat(gate.shutUntil()).isEmpty();
    }

    @Test
    void a_request_is_not_sent_if_the_gate_shut_while_it_waited_for_its_token() {
        // given: the gate is shut when the request reaches the pipeline's last policy
        Gates gates = new Gates(time, null, null);
        ArmRequest request = ArmRequest.get(
                ArmCall.Purpose.READ,
                ArmName.of("lb-2"),
                "https://localhost/pool",
                new Deadline(time, Duration.ofSeconds(9)),
                CallContext.unbound());
        gates.throttled(
                request,
                new ArmAnswer(
                        429,
                        new HttpHeaders().set(HttpHeaderName.RETRY_AFTER, "9"),
                        new AnswerBody.Whole(new byte[0])));
        HttpClient wire = sent -> Mono.error(new AssertionError("nothing goes out"));
        HttpPipeline pipeline = new HttpPipelineBuilder()
                .policies(new GatePolicy(gates))
                .httpClient(wire)
                .build();
        // when, then
        assertThatThrownBy(() -> pipeline.send(
                                new HttpRequest(HttpMethod.GET, request.address()),
                                new Context(GatePolicy.REQUEST, request))
                        .block())
                .isInstanceOfSatisfying(
                        GateShutException.class,
                        shut -> assertThat(shut.shutUntil()).isEqualTo(in(9)));
    }
}
