package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each field of an error body, left out, as null, empty and in capitals. */
class ArmErrorBodyTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"error": {"code": "C", "message": "m"}}                        | C: m
        {"Error": {"Code": "C", "Message": "m"}}                        | C: m
        {"ERROR": {"CODE": "C", "MESSAGE": "m"}}                        | C: m
        {"code": "C", "message": "m"}                                   | C: m
        {"Code": "C", "Message": "m"}                                   | C: m
        {"error": null, "code": "C", "message": "m"}                    | C: m
        {"error": {"code": "C"}}                                        | C
        {"error": {"code": "C", "message": null}}                       | C
        {"error": {"code": "C", "message": ""}}                         | C
        {"error": {"code": "C", "message": " "}}                        | C
        {"error": {"code": "C", "message": 7}}                          | C
        {"error": {"message": "m"}}                                     | m
        {"error": {"code": null, "message": "m"}}                       | m
        {"error": {"code": "", "message": "m"}}                         | m
        {"error": {"code": {}, "message": "m"}}                         | m
        {"error": {"code": "C", "message": "m", "details": null}}       | C: m
        {"error": {"code": "C", "message": "m", "details": []}}         | C: m
        {"error": {"code": "C", "message": "m", "details": {}}}         | C: m
        {"error": {"code": "C", "message": "m", "details": [null]}}     | C: m
        {"error": {"code": "C", "message": "m", "details": [{}]}}       | C: m
        {"error": {"code": "C", "message": "m", "details": [{"code": null, "message": null}]}} | C: m
        {"error": {"code": "C", "message": "m", "details": [{"code": "", "message": ""}]}}     | C: m
        {"error": {"code": "C", "message": "m", "details": [{"code": "D"}]}}                   | C: m [D]
        {"error": {"code": "C", "message": "m", "details": [{"code": "D", "message": null}]}}  | C: m [D]
        {"error": {"code": "C", "message": "m", "details": [{"message": "n"}]}}                | C: m [n]
        {"error": {"code": "C", "message": "m", "details": [{"code": null, "message": "n"}]}}  | C: m [n]
        {"error": {"code": "C", "message": "m", "details": [{"code": "D", "message": "n"}]}}   | C: m [D: n]
        {"Error": {"Code": "C", "Message": "m", "Details": [{"Code": "D", "Message": "n"}]}}   | C: m [D: n]
        {"error": {"code": "C", "details": [{"code": "D", "message": "n"}]}}                   | C: [D: n]
        {"error": {"message": null, "details": [{"code": "D", "message": "n"}]}}               | [D: n]
        {"error": {"code": "C", "message": "m", "details": [{"message": "m"}]}}                | C: m
        {"error": {"code": "C", "message": "m", "details": [{"code": "D", "message": "m"}]}}   | C: m [D: m]
        {"error": {"code": "C", "message": "m", "details": [{"message": "n"}, {"message": "m"}, {"code": "D"}]}} | C: m [n] [D]
        {"error": {"code": "C", "message": "m", "details": [{"code": "1", "details": [{"code": "2", "details": [{"code": "3", "details": [{"code": "4"}]}]}]}]}} | C: m [1: [2: [3]]]
        """)
    void a_null_or_empty_field_counts_as_absent(String body, String described) {
        assertThat(of(body).describe()).isEqualTo(described);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}
        {"error": null}
        {"error": {}}
        {"error": ""}
        {"error": []}
        {"error": {"code": null, "message": null, "details": null}}
        {"error": {"code": "", "message": "", "details": []}}
        {"code": null}
        """)
    void an_error_without_content_is_no_error(String body) {
        assertThat(of(body)).isEqualTo(ArmErrorBody.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                {"error": {"code": "sig=SECRET", "message": "m"}}\
                """,
                """
                {"error": {"code": "C", "message": "password: SECRET"}}\
                """,
                """
                {"error": {"code": "C", "details": [{"code": "sig=SECRET"}]}}\
                """,
                """
                {"error": {"code": "C", "details": [{"message": "sig=SECRET"}]}}\
                """,
            })
    void no_part_of_an_error_shows_a_secret(String body) {
        ArmErrorBody error = of(body);
        assertThat(error.toString() + error.describe() + error.codes().toList())
                .doesNotContain("SECRET")
                .contains("…");
    }

    @Test
    void the_message_with_those_of_all_details_is_truncated() {
        // given
        String detail = "{\"code\": \"D\", \"message\": \"" + "x".repeat(900) + "\"}";
        // when
        ArmErrorBody error = of("{\"error\": {\"code\": \"C\", \"details\": [" + detail + ", " + detail + "]}}");
        // then
        assertThat(error.wholeMessage()).hasSize(1_001).endsWith("…");
    }

    @Test
    void a_body_that_was_not_read_is_reported() {
        assertThat(ArmErrorBody.of(new AnswerBody.TooLarge(SizeLimit.RESOURCE)).describe())
                .isEqualTo("its body was not read: it is larger than the limit of 16 MiB");
    }

    private static ArmErrorBody of(String body) {
        return ArmErrorBody.of(new AnswerBody.Whole(body.getBytes(StandardCharsets.UTF_8)));
    }
}
