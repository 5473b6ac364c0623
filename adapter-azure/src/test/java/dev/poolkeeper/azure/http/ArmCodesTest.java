package dev.poolkeeper.azure.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArmCodesTest {

    private static final Pattern CODE = Pattern.compile("`([A-Z][A-Za-z]+)`");

    @Test
    void the_page_about_failures_lists_the_codes_of_the_table_and_no_others() throws Exception {
        // given
        Set<String> listed = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "failures.md"))) {
            if (line.startsWith("| Failed |")) {
                Matcher codes = CODE.matcher(line);
                while (codes.find()) {
                    listed.add(codes.group(1));
                }
            }
        }
        // then
        assertThat(listed).isEqualTo(new TreeSet<>(ArmCodes.codes()));
    }

    @ParameterizedTest
    @CsvSource({
        "AnotherOperationInProgress, ANOTHER_OPERATION",
        "Canceled, ANOTHER_OPERATION",
        "CanceledAndSupersededDueToAnotherOperation, ANOTHER_OPERATION",
        "OperationPreempted, ANOTHER_OPERATION",
        "ReferencedResourceNotProvisioned, ANOTHER_OPERATION",
        "RetryableError, ANOTHER_OPERATION",
        "RetryableErrorDueToAnotherOperation, ANOTHER_OPERATION",
        "Conflict, ANOTHER_OPERATION",
        "PreconditionFailed, PRECONDITION_FAILED",
        "PreconditionFailedEtagMismatch, PRECONDITION_FAILED",
        "SubscriptionRequestsThrottled, THROTTLED",
        "TooManyRequests, THROTTLED",
        "GatewayTimeout, PASSING",
        "InternalError, PASSING",
        "InternalServerError, PASSING",
        "OperationTimedOut, PASSING",
        "ServerTimeout, PASSING",
        "ServiceUnavailable, PASSING",
        "NotFound, PASSING",
        "ParentResourceNotFound, PASSING",
        "ResourceGroupNotFound, PASSING",
        "ResourceNotFound, PASSING",
        "InvalidRequestFormat, FINAL",
        "AuthorizationFailed, FINAL",
        "PrivateLinkServiceIsNotSupportedForIPBasedLoadBalancer, FINAL"
    })
    void each_code_has_its_meaning_in_any_case_alone_and_among_details(String code, ArmCodes.Meaning meaning) {
        for (String spelled : List.of(code, code.toUpperCase(Locale.ROOT), code.toLowerCase(Locale.ROOT))) {
            ArmErrorBody alone = new ArmErrorBody(spelled, "m", List.of());
            ArmErrorBody among = new ArmErrorBody("SomeCode", null, List.of(alone));
            assertThat(ArmCodes.meaning(alone)).as(spelled).isEqualTo(meaning);
            assertThat(ArmCodes.meaning(new ArmErrorBody(null, null, List.of(alone))))
                    .isEqualTo(meaning);
            assertThat(alone.isAboutAnotherOperation()).isEqualTo(meaning == ArmCodes.Meaning.ANOTHER_OPERATION);
            assertThat(among.isAboutAnotherOperation()).isEqualTo(meaning == ArmCodes.Meaning.ANOTHER_OPERATION);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AuthenticationFailed",
                "ExpiredAuthenticationToken",
                "InvalidAuthenticationInfo",
                "InvalidAuthenticationToken",
                "InvalidAuthenticationTokenTenant"
            })
    void a_refused_token_is_recognised_in_any_case(String code) {
        for (String spelled : List.of(code, code.toUpperCase(Locale.ROOT), code.toLowerCase(Locale.ROOT))) {
            assertThat(new ArmErrorBody(spelled, "m", List.of()).isAboutTheToken())
                    .as(spelled)
                    .isTrue();
        }
    }

    @Test
    void a_code_without_a_meaning_stays_as_it_was_written() {
        assertThat(new ArmErrorBody("someCode", "m", List.of()).code()).isEqualTo("someCode");
    }

    @ParameterizedTest
    @CsvSource({
        "AnotherOperationInProgress, PreconditionFailed, ANOTHER_OPERATION",
        "PreconditionFailed, TooManyRequests, PRECONDITION_FAILED",
        "TooManyRequests, InternalError, THROTTLED",
        "InternalError, InvalidRequestFormat, PASSING",
        "AnotherOperationInProgress, InvalidRequestFormat, ANOTHER_OPERATION"
    })
    void of_two_codes_the_one_that_leaves_the_most_hope_counts_in_any_order(
            String one, String other, ArmCodes.Meaning meaning) {
        assertThat(ArmCodes.meaning(both(one, other))).isEqualTo(meaning);
        assertThat(ArmCodes.meaning(both(other, one))).isEqualTo(meaning);
    }

    private static ArmErrorBody both(String outer, String inner) {
        return new ArmErrorBody(outer, null, List.of(new ArmErrorBody(inner, null, List.of())));
    }

    @Test
    void the_refusal_of_private_link_is_spelled_in_one_way() {
        for (String spelled : List.of(
                ArmCodes.PRIVATE_LINK.toLowerCase(Locale.ROOT), ArmCodes.PRIVATE_LINK.toUpperCase(Locale.ROOT))) {
            assertThat(new ArmErrorBody(spelled, "m", List.of()).code())
                    .isEqualTo("PrivateLinkServiceIsNotSupportedForIPBasedLoadBalancer");
        }
    }

    @Test
    void an_error_without_a_code_may_be_transient() {
        assertThat(ArmCodes.meaning(ArmErrorBody.NONE)).isEqualTo(ArmCodes.Meaning.PASSING);
    }
}
