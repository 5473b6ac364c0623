package dev.poolkeeper.fake.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {

    @Test
    void every_key_for_https_is_read() throws Exception {
        Faults faults = read("""
            {"target": "operation", "delayMillis": 7, "body": "html", "retryAfterDate": true,
             "retryAfterSeconds": 3, "status": 429, "share": 0.5, "seed": 9}\
            """);

        FaultRule rule = faults.rules().getFirst();
        assertThat(rule.share()).isEqualTo(new Share(0.5, 9));
        assertThat(rule.https())
                .isEqualTo(new HttpsFault(
                        HttpsFault.Target.OPERATION, Duration.ofMillis(7), null, HttpsFault.Body.HTML, true, null));
        assertThat(read("{\"drop\": \"after\"}").rules().getFirst().https().drop())
                .isEqualTo(HttpsFault.Drop.AFTER);
        assertThat(read("{\"operation\": \"Canceled\"}")
                        .rules()
                        .getFirst()
                        .https()
                        .operation())
                .isEqualTo(HttpsFault.Ending.CANCELED);
    }

    @Test
    void a_rule_with_an_effect_needs_no_status() throws Exception {
        assertThat(read("{\"delayMillis\": 5}").rules().getFirst().status()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"drop\": \"before\"}",
                "{\"status\": 409, \"share\": 0.5}",
                "{\"status\": 429, \"retryAfterSeconds\": 1, \"retryAfterDate\": true}",
                "{\"status\": 404, \"target\": \"list\"}"
            })
    void a_rule_for_https_only_is_recognised(String rule) throws Exception {
        assertThat(read(rule).usesHttpsOnlyKeys()).isTrue();
    }

    @Test
    void a_rule_of_the_contract_applies_in_memory_too() throws Exception {
        assertThat(read("{\"status\": 409, \"times\": 1, \"code\": \"x\"}").usesHttpsOnlyKeys())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|rules[0].status: is missing, must be a whole number from 400 to 599",
                "{'status': 200}|rules[0].status: found 200, must be a whole number from 400 to 599",
                "{'drop': 'often'}|rules[0].drop: found \"often\", must be one of before, after",
                "{'body': 'large'}|rules[0].body: found \"large\", must be one of truncated, garbled, empty, html",
                "{'operation': 'failed'}|rules[0].operation: found \"failed\", must be one of Failed, Canceled",
                "{'status': 500, 'target': 'pool'}|rules[0].target: found \"pool\", must be one of resource,"
                        + " operation, list",
                "{'delayMillis': -1}|rules[0].delayMillis: found -1, must be a whole number from 0 to 600000",
                "{'status': 500, 'share': 0}|rules[0].share: found 0.0, must be greater than 0 and at most 1",
                "{'status': 500, 'share': 'x'}|rules[0].share: found \"x\", must be a number",
                "{'status': 500, 'seed': 1}|rules[0].seed: applies only together with share",
                "{'status': 429, 'retryAfterDate': true}|rules[0].retryAfterDate: found true, needs retryAfterSeconds"
                        + " next to it",
                "{'status': 429, 'retryAfterDate': 1}|rules[0].retryAfterDate: found 1, must be true or false",
                "{'status': 500, 'drop': 'after'}|rules[0].drop: a dropped connection has no status and no body,"
                        + " remove one of them",
                "{'status': 500, 'operation': 'Failed'}|rules[0].operation: a call that is answered with a status has"
                        + " no operation, remove one of them",
                "{'target': 'list', 'operation': 'Failed'}|rules[0].operation: is for writes, not for target \"list\""
            })
    void a_bad_rule_is_reported_in_one_line(String rule, String line) {
        BadInputException bad = catchThrowableOfType(BadInputException.class, () -> read(rule.replace('\'', '"')));

        assertThat(bad.faults()).extracting(InputFault::toString).containsExactly("faults: " + line);
    }

    @Test
    void a_share_is_drawn_the_same_way_in_every_run() {
        assertThat(answered(new Share(0.3, 7))).isEqualTo(answered(new Share(0.3, 7)));
        assertThat(answered(new Share(0.3, 7))).isNotEqualTo(answered(new Share(0.3, 8)));
        assertThat(answered(new Share(0.3, 7))).hasSizeBetween(250, 350);
    }

    private static int[] answered(Share share) {
        FaultScript script = new FaultScript(List.of(FaultRule.always(500).share(share)));
        return IntStream.range(0, 1000)
                .filter(i -> script.answerTo("GET", "lb", "p", Duration.ZERO).isPresent())
                .toArray();
    }

    private static Faults read(String rule) throws BadInputException, IOException {
        String text = "{\"rules\": [" + rule + "]}";
        return Faults.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "faults");
    }
}
