package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.azure.core.credential.AccessToken;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The log about objects in Azure's list that cannot be read or written, and about throttling. */
class OddListingLogTest {

    private static final URI NOWHERE = URI.create("https://arm.example");
    private static final String OTHER = "{\"name\": \"lb-1\", \"properties\": {\"backendAddressPools\": [{\"name\":"
            + " \"shop-web\", \"properties\": {}}]}}";

    @RegisterExtension
    final Logged logged = new Logged("dev.poolkeeper.azure", Level.WARN);

    private String page = "";
    private int status = 200;
    private final FakeTime time = new FakeTime();
    private final AzurePools pools = pools(AzureScope.of("s", "g").withVnet("v"));

    private AzurePools pools(AzureScope scope) {
        return AzurePools.builder(
                        AzureSettings.of(AzureCloud.at(NOWHERE, NOWHERE), scope),
                        request -> Mono.just(new AccessToken("a-token", OffsetDateTime.MAX)),
                        request -> Mono.just(new Answer(request, status, page)),
                        time)
                .build();
    }

    private void list(String odd) {
        page = "{\"value\": [%s, %s]}".formatted(OTHER, odd);
        assertThat(pools.list()).isInstanceOf(Reply.Ok.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        null                                          | reason="an element is not an object"
        {}                                            | reason="a load balancer has no name"
        {"name": "lb-2"}                              | loadBalancer="lb-2" reason="properties is not an object"
        {"name": "lb-2", "properties": {}}            | loadBalancer="lb-2" reason="it has no array backendAddressPools"
        {"name": "lb-2", "properties": {"backendAddressPools": null}} | loadBalancer="lb-2" reason="it has no array backendAddressPools"
        {"name": "lb-2", "properties": {"backendAddressPools": [null]}} | loadBalancer="lb-2" reason="a pool is not an object"
        {"name": "lb-2", "properties": {"backendAddressPools": [{"name": "p"}]}} | loadBalancer="lb-2" pool="p" reason="properties is not an object"
        """)
    void an_object_that_cannot_be_read_is_named_once_with_a_remedy(String odd, String fields) {
        // when
        list(odd);
        list(odd);
        list(odd);
        // then
        assertThat(logged.list).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).hasToString("WARN");
            assertThat(line.getKeyValuePairs().stream().map(Object::toString).collect(Collectors.joining(" ")))
                    .isEqualTo(fields);
            assertThat(line.getMessage())
                    .contains("its pools stay as last listed")
                    .contains("az network lb list");
        });
    }

    @Test
    void another_reason_and_another_time_are_named_again() {
        for (String odd : List.of("null", "{}", OTHER, "{}")) {
            list(odd);
        }

        assertThat(logged.list)
                .extracting(line -> line.getKeyValuePairs().get(0).value)
                .containsExactly(
                        "an element is not an object", "a load balancer has no name", "a load balancer has no name");
    }

    @Test
    void load_balancers_without_a_network_are_named_once_and_again_after_they_had_one() {
        // given
        AzurePools unknown = pools(AzureScope.of("s", "g"));
        String network = "\"virtualNetwork\": {\"id\": \"/virtualNetworks/v\"}";
        // when
        for (String properties : List.of("", "", network, "", "")) {
            page = "{\"value\": [%s]}".formatted(OTHER.replace("{}", "{" + properties + "}"));
            assertThat(unknown.list()).isInstanceOf(Reply.Ok.class);
        }
        // then
        assertThat(logged.list)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.getMessage()).startsWith("Pools have no virtual network"))
                .extracting(line -> String.valueOf(line.getKeyValuePairs().get(0).value))
                .containsExactly("[lb-1]", "[lb-1]");
    }

    @Test
    void all_load_balancers_without_a_network_are_named_in_order_and_only_when_one_is_new() {
        // given
        AzurePools unknown = pools(AzureScope.of("s", "g"));
        String lb2 = OTHER.replace("lb-1", "lb-2");
        String lb3 = OTHER.replace("lb-1", "lb-3");
        String withNetwork = OTHER.replace("{}", "{\"virtualNetwork\": {\"id\": \"/virtualNetworks/v\"}}")
                .replace("lb-1", "lb-4");
        String withTwoNetworks = """
            {"name": "lb-5", "properties": {"backendAddressPools": [
             {"name": "a", "properties": {"virtualNetwork": {"id": "/virtualNetworks/v"}}},
             {"name": "b", "properties": {"virtualNetwork": {"id": "/virtualNetworks/w"}}}]}}\
            """;
        // when
        for (List<String> listed : List.of(
                List.of(lb3, withNetwork, OTHER, withTwoNetworks),
                List.of(OTHER, lb3),
                List.of(OTHER),
                List.of(lb2, OTHER, lb3))) {
            page = "{\"value\": [%s]}".formatted(String.join(", ", listed));
            assertThat(unknown.list()).isInstanceOf(Reply.Ok.class);
        }
        // then
        assertThat(logged.list)
                .extracting(line -> String.valueOf(line.getKeyValuePairs().get(0).value))
                .containsExactly("[lb-1, lb-3]", "[lb-1, lb-2, lb-3]");
    }

    @Test
    void throttling_is_logged_for_reads_and_for_writes_with_its_end() {
        // given
        logged.at(Level.INFO);
        CallContext context = CallContext.unbound();
        page = "{\"name\": \"p\", \"etag\": \"e\", \"properties\": {\"loadBalancerBackendAddresses\": []}}";
        if (!(pools.read(PoolKey.of("lb-1", "p"), context) instanceof Reply.Ok<BackendPool>(BackendPool pool))) {
            throw new AssertionError("the pool cannot be read");
        }
        status = 429;
        // when
        pools.write(pool, AddressSet.empty(), context);
        pools.list();
        pools.list();
        time.advance(Duration.ofSeconds(9));
        status = 200;
        pools.write(pool, AddressSet.empty(), context);
        list(OTHER);
        // then
        String until = " until=\"" + time.instant() + "\"";
        assertThat(logged.list)
                .extracting(line -> line.getLevel() + " "
                        + line.getKeyValuePairs().stream().map(Object::toString).collect(Collectors.joining(" ")))
                .containsExactly(
                        "WARN requests=\"writes\"" + until,
                        "WARN requests=\"reads\"" + until,
                        "INFO requests=\"writes\"",
                        "INFO requests=\"reads\"");
    }

    @Test
    void the_beginning_and_the_end_of_throttling_are_logged_once_each_time() {
        // given
        logged.at(Level.INFO);
        String begun = "Azure throttles requests; sending none until the wait ends";
        String ended = "Throttling by Azure ended; sending requests again";
        for (int i = 0; i < 2; i++) {
            // when
            status = 429;
            page = "{}";
            assertThat(pools.list()).isInstanceOf(Reply.Failed.class);
            time.advance(Duration.ofSeconds(10));
            status = 200;
            list(OTHER);
            list(OTHER);
            list(OTHER);
        }
        // then
        assertThat(logged.list).extracting(ILoggingEvent::getMessage).containsExactly(begun, ended, begun, ended);
    }

    private static final class Answer extends HttpResponse {

        private final int status;
        private final byte[] body;

        Answer(HttpRequest request, int status, String body) {
            super(request);
            this.status = status;
            this.body = body.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        @Deprecated
        public @Nullable String getHeaderValue(String name) {
            return getHeaders().getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return new HttpHeaders().set(HttpHeaderName.RETRY_AFTER, "9");
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.just(ByteBuffer.wrap(body));
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.just(body);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.just(new String(body, charset));
        }
    }
}
