package dev.poolkeeper.azure;

import static dev.poolkeeper.azure.ArmHarness.SHOP_WEB;
import static dev.poolkeeper.azure.ArmHarness.failure;
import static dev.poolkeeper.azure.ArmHarness.ok;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.sun.net.httpserver.HttpExchange;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/** A malicious server in place of ARM, over TLS. */
@Timeout(120)
class HostileAnswersTest {

    private static final long GIBIBYTE = 1L << 30;
    private static final int MEBIBYTE = 1 << 20;
    private static final String EMPTY = "{\"name\": \"lb\", \"properties\": {\"backendAddressPools\": []}}";

    private final AtomicLong sent = new AtomicLong();
    private ArmHarness harness;
    private AzurePools pools;

    @BeforeEach
    void start() throws Exception {
        harness = new ArmHarness();
        pools = harness.pools();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    /** A gibibyte of blanks inside a JSON text, or as much of it as the client reads. */
    private ScriptedArm.Answer gibibyte(int status) {
        return exchange -> stream(exchange, status, "{\"name\": \"", " ".repeat(MEBIBYTE), GIBIBYTE / MEBIBYTE, "\"}");
    }

    private void stream(HttpExchange exchange, int status, String start, String part, long parts, String end)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, 0);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(start.getBytes(StandardCharsets.UTF_8));
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            for (long i = 0; i < parts; i++) {
                body.write(bytes);
                sent.addAndGet(bytes.length);
            }
            body.write(end.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    @Rule(
            id = "A24",
            says = "Responses larger than 16 MiB, and pages of the list larger than 256 MiB, are not read; the"
                    + " failure names the limit.",
            source = "ours",
            differs = "Go reads responses of any size.")
    void a_pool_of_a_gibibyte_is_cut_off_and_the_failure_names_the_limit() {
        // given
        harness.arm.then(gibibyte(200));
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure.describe())
                .isEqualTo("ARM's response with status 200 about pool lb-2/shop-web is invalid: it is larger than the"
                        + " limit of 16 MiB");
        assertThat(sent.get()).isLessThan(GIBIBYTE / 2);
    }

    @Test
    void an_error_of_a_gibibyte_keeps_its_status() {
        // given
        harness.arm.then(gibibyte(403));
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        // then
        assertThat(failure)
                .isInstanceOfSatisfying(
                        Failure.HttpError.class,
                        error -> assertThat(error.describe())
                                .isEqualTo(
                                        "HTTP 403: its body was not read: it is larger than the limit of" + " 16 MiB"));
    }

    @Test
    void a_state_of_a_gibibyte_after_a_write_leaves_its_outcome_unknown() {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm
                .then(
                        201,
                        Bodies.poolIn("Updating", ""),
                        "Azure-AsyncOperation",
                        harness.arm.address() + "/operations/1")
                .then(gibibyte(200));
        // when
        Failure failure = failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(failure)
                .isEqualTo(Failure.Other.retriable("the write was accepted, but its outcome is unknown: the operation's"
                        + " state is invalid: it is larger than the limit of 16 MiB"));
    }

    @Test
    void a_token_response_of_a_gibibyte_is_not_read() {
        // given: the client that tokens are fetched through
        HttpClient http = ArmHarness.httpClient();
        harness.arm.then(gibibyte(200));
        // when
        Mono<byte[]> body = http.send(new HttpRequest(HttpMethod.POST, harness.arm.address() + "/token"))
                .flatMap(HttpResponse::getBodyAsByteArray);
        // then
        assertThatThrownBy(body::block).hasMessageContaining("larger than the limit of 16 MiB");
        assertThat(sent.get()).isLessThan(GIBIBYTE / 2);
    }

    @Test
    void a_large_page_is_read_as_it_arrives() {
        // given: 40 MiB of load balancers, each with a pool
        String loadBalancer = "{\"name\": \"lb-%s\", \"properties\": {\"backendAddressPools\": [%s]}}"
                .formatted("%s", Bodies.pool("10.0.0.4").replace("lb-2", "lb-%1$s"));
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            part.append(loadBalancer.formatted(i)).append(",").append(" ".repeat(10_000));
        }
        harness.arm.then(exchange -> stream(
                exchange,
                200,
                "{\"value\": [",
                part.toString(),
                40,
                "{\"name\": \"lb\"," + " \"properties\": {\"backendAddressPools\": []}}]}"));
        // when
        List<BackendPool> listed = ok(pools.list());
        // then
        assertThat(listed).hasSize(4_000);
        assertThat(sent.get()).isGreaterThan(40L * MEBIBYTE);
    }

    @Test
    void a_page_beyond_its_limit_fails_the_listing() {
        // given: without TLS, which takes longer than everything else if the JIT compiler has no intrinsics for it
        byte[] part = (EMPTY + "," + " ".repeat(MEBIBYTE)).getBytes(StandardCharsets.UTF_8);
        HttpClient http = MemoryArm.answering(
                200,
                Flux.concat(
                        Flux.just(StandardCharsets.UTF_8.encode("{\"value\": [")),
                        Flux.range(0, 1_024).map(i -> ByteBuffer.wrap(part)),
                        Flux.just(StandardCharsets.UTF_8.encode(EMPTY + "]}"))));
        // when
        Failure failure = failure(AzurePools.builder(harness.settings, ArmHarness.TOKEN, http, harness.time)
                .build()
                .list());
        // then
        assertThat(failure.describe())
                .isEqualTo(
                        "ARM's response with status 200 about the list of load balancers is invalid: it is larger than"
                                + " the limit of 256 MiB");
    }

    @Test
    void a_load_balancer_beyond_its_limit_fails_the_listing() {
        // given
        harness.arm.then(exchange -> stream(exchange, 200, "{\"value\": [", " ".repeat(MEBIBYTE), 1_024, EMPTY + "]}"));
        // when, then
        assertThat(failure(pools.list()).describe()).endsWith("it is larger than the limit of 16 MiB");
    }

    @Test
    @Rule(id = "A25", says = "An abandoned attempt logs nothing afterwards.", source = "ours")
    void an_abandoned_attempt_logs_no_stack_trace() throws Exception {
        // given: the response breaks off after the attempt was abandoned
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Hooks.onErrorDropped(dropped::add);
        harness.arm.then(exchange -> {
            harness.passDuringAttempt(harness.settings.polls().deadline());
            try {
                stream(exchange, 200, "{", " ".repeat(MEBIBYTE), 1_024, "}");
            } finally {
                gone.complete(null);
            }
        });
        // when
        Failure failure = failure(pools.read(SHOP_WEB));
        gone.join();
        // then
        assertThat(failure).isEqualTo(new Failure.Cancelled("given up after 300 s"));
        assertThat(dropped).isEmpty();
        Hooks.resetOnErrorDropped();
    }

    @Test
    @Rule(id = "A26", says = "A pool that cannot be parsed leaves the other pools in the listing.", source = "ours")
    void an_unreadable_address_affects_only_its_pool() {
        // given
        String pool = Bodies.pool("10.0.0.4");
        harness.arm.then(
                200,
                "{\"value\": [{\"name\": \"lb-2\", \"properties\": {\"backendAddressPools\": [%s, %s]}}]}"
                        .formatted(pool.replace("shop-web", "theirs").replace("10.0.0.4", "10.0.0.4/33"), pool));
        // when, then
        assertThat(ok(pools.list())).extracting(BackendPool::key).containsExactly(SHOP_WEB);
    }

    @Test
    @Rule(
            id = "A27",
            says = "A write returns the pool as ARM shows it afterwards, never the requested contents.",
            source = "ours",
            differs = "Go assumes that a successful operation made the requested change.")
    void a_succeeded_write_that_kept_the_old_addresses_is_detected() {
        // given
        String kept = Bodies.pool("10.0.0.4");
        BackendPool pool = harness.read(pools, kept);
        harness.arm
                .then(
                        201,
                        Bodies.poolIn("Updating", "", "10.0.0.5"),
                        "Azure-AsyncOperation",
                        harness.arm.address() + "/1")
                .then(200, "{\"status\": \"Succeeded\"}")
                .then(200, kept);
        // when, then: after an operation
        assertThat(ok(pools.write(pool, AddressSet.of("10.0.0.5"))).addresses()).isEqualTo(AddressSet.of("10.0.0.4"));
        // given
        harness.arm.then(200, kept);
        // when, then: at once
        assertThat(ok(pools.write(pool, AddressSet.of("10.0.0.5"))).addresses()).isEqualTo(AddressSet.of("10.0.0.4"));
    }

    @Test
    @Rule(
            id = "A28",
            says = "A failure states what happened: it never claims that a write was accepted, or that a call"
                    + " timed out, if it was not.",
            source = "ours")
    void a_login_page_is_not_taken_for_an_accepted_write() {
        // given
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(200, "<html>Sign in</html>", "Content-Type", "text/html");
        // when
        Failure failure = failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(failure)
                .isEqualTo(
                        Failure.Other.retriable("the outcome of the write is unknown: its response with status 200 is"
                                + " invalid: the body of 20 bytes is not JSON"));
    }

    @Test
    void a_wait_beyond_the_deadline_is_not_reported_as_an_exceeded_deadline() {
        // given
        harness.settings = harness.settings.withPolls(new PollSettings(ofSeconds(1), ofSeconds(1), ofSeconds(15)));
        pools = harness.pools();
        BackendPool pool = harness.read(pools, Bodies.pool());
        harness.arm.then(
                201,
                Bodies.poolIn("Updating", ""),
                "Azure-AsyncOperation",
                harness.arm.address() + "/operations/1",
                "Retry-After",
                "60");
        // when
        Failure failure = failure(pools.write(pool, AddressSet.of("10.0.0.4")));
        // then
        assertThat(failure)
                .isEqualTo(new Failure.Cancelled("the write was accepted and is still in progress; polling"
                        + " stopped because the next poll would come after its deadline of 15 s"));
        assertThat(harness.waits).isEmpty();
    }
}
