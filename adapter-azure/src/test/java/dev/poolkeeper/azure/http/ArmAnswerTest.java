package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers of responses that are read, and those of requests that an observer adds. */
class ArmAnswerTest {

    private static ArmAnswer answer(Map<String, String> headers) {
        HttpHeaders all = new HttpHeaders();
        headers.forEach((name, value) -> all.set(HttpHeaderName.fromString(name), value));
        return new ArmAnswer(200, all, new AnswerBody.Whole(new byte[0]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-ms-correlation-request-id", "x-ms-request-id", "x-ms-client-request-id"})
    void each_id_of_a_call_is_found_in_any_case(String header) {
        for (String name : List.of(header, header.toUpperCase(Locale.ROOT), "X-Ms" + header.substring(4))) {
            assertThat(answer(Map.of(name, "c-1")).correlationId()).isEqualTo("c-1");
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "a,  b,  c,  a",
                "-,  b,  c,  b",
                "'', b,  c,  b",
                "' ', b, c,  b",
                "-,  -,  c,  c",
                "-,  '', c,  c",
                "a,  -,  -,  a",
                "-,  -,  -,  -",
                "'', '', '', -"
            })
    void the_first_id_that_is_there_is_taken(String correlation, String request, String client, String found) {
        HttpHeaders headers = new HttpHeaders();
        set(headers, "x-ms-correlation-request-id", correlation);
        set(headers, "x-ms-request-id", request);
        set(headers, "x-ms-client-request-id", client);
        assertThat(new ArmAnswer(200, headers, new AnswerBody.Whole(new byte[0])).correlationId())
                .isEqualTo(found);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-ms-correlation-request-id", "x-ms-request-id", "x-ms-client-request-id"})
    void a_secret_in_place_of_an_id_is_not_shown(String header) {
        assertThat(answer(Map.of(header, "Bearer SECRETSECRET")).correlationId())
                .isEqualTo("Bearer …");
    }

    /** The clock of these tests is at 2026-01-01T00:00:10Z. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -",
                "'', -",
                "soon, -",
                "0, -",
                "-1, -",
                "1, 2026-01-01T00:00:11Z",
                "120, 2026-01-01T00:02:10Z",
                "'Thu, 01 Jan 2026 00:00:09 GMT', -",
                "'Thu, 01 Jan 2026 00:00:10 GMT', -",
                "'Thu, 01 Jan 2026 00:00:11 GMT', 2026-01-01T00:00:11Z"
            })
    void only_a_time_that_is_still_to_come_is_waited_for(String header, Instant at) {
        HttpHeaders headers = new HttpHeaders();
        set(headers, "Retry-After", header);
        assertThat(new ArmAnswer(503, headers, new AnswerBody.Whole(new byte[0]))
                        .retryAfter(Instant.parse("2026-01-01T00:00:10Z")))
                .isEqualTo(Optional.ofNullable(at));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                                                    | the body is an empty object
        null                                                                  | the body is null
        {"error": {"code": "C", "message": "m"}}                              | the body is an error: C: m
        {"name": null, "error": {"code": "C", "message": "m"}}                | the body is an error: C: m
        {"code": "C", "message": "m"}                                         | the body is an error: C: m
        {"Name": null, "Code": "C", "Message": "m"}                           | the body is an error: C: m
        {"name": "p", "error": {"code": "C", "message": "m"}}                 | a resource
        {"name": "p", "code": "C", "message": "m"}                            | a resource
        {"id": "i", "error": null}                                            | a resource
        {"id": "i", "code": "C"}                                              | a resource
        {"id": "i", "message": "m"}                                           | a resource
        {"id": "i", "code": null, "message": "m"}                             | a resource
        {"id": "i", "code": "C", "message": null}                             | a resource
        """)
    void an_error_is_no_resource_and_a_named_resource_is_no_error(String body, String read) {
        assertThat(read(body)).isEqualTo(read);
    }

    private static String read(String body) {
        try {
            new ArmAnswer(200, new HttpHeaders(), new AnswerBody.Whole(body.getBytes(StandardCharsets.UTF_8)))
                    .resource();
            return "a resource";
        } catch (InvalidAnswerException e) {
            return e.reason();
        }
    }

    private static void set(HttpHeaders headers, String name, String value) {
        if (value != null) {
            headers.set(HttpHeaderName.fromString(name), value);
        }
    }

    @Test
    void only_the_trace_headers_of_an_observer_are_sent() {
        assertThat(TraceHeaders.of(observing(Map.of(
                        "traceparent",
                        "00-1",
                        "TraceState",
                        "a=b",
                        "authorization",
                        "x",
                        "if-match",
                        "*",
                        "host",
                        "h"))))
                .containsExactlyInAnyOrderEntriesOf(Map.of("traceparent", "00-1", "tracestate", "a=b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " 00", "00\n", "00\r\nx: y", "\u00e9", "00\u007f"})
    void a_value_that_would_break_the_request_is_left_out(String value) {
        assertThat(TraceHeaders.of(observing(Map.of("traceparent", value, "tracestate", "a=b"))))
                .containsOnly(Map.entry("tracestate", "a=b"));
    }

    @Test
    void a_tracer_that_breaks_its_contract_adds_no_header_at_all() {
        Map<String, String> withNull = new TreeMap<>(Map.of("traceparent", "00-1"));
        withNull.put("tracestate", null);
        assertThat(TraceHeaders.of(observing(withNull))).isEmpty();
        assertThat(TraceHeaders.of(observing(null))).isEmpty();
    }

    private static ArmCallListener.Observation observing(Map<String, String> headers) {
        return new ArmCallListener.Observation() {
            @Override
            public Map<String, String> headers() {
                return headers;
            }

            @Override
            public void ended(ArmCall call) {}
        };
    }
}
