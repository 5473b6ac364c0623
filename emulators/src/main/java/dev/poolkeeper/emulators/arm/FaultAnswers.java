package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.fake.cloud.FaultRule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The responses of rules with a status. */
final class FaultAnswers {

    /** The codes for rules without one, because ARM always sends a code. */
    private static final Map<Integer, String> CODES = Map.of(
            400, "BadRequest",
            401, "AuthenticationFailed",
            403, "AuthorizationFailed",
            404, "NotFound",
            409, "AnotherOperationInProgress",
            412, "PreconditionFailed",
            429, "TooManyRequests",
            500, "InternalServerError",
            503, "ServerTimeout",
            504, "GatewayTimeout");

    /** The last date that fits into an HTTP header, whose years have four digits. */
    private static final Instant LAST_DATE = Instant.parse("9999-12-31T23:59:59Z");

    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private FaultAnswers() {}

    static SentAnswer answer(FaultRule rule, int status, Instant now) {
        String code = rule.code() != null ? rule.code() : CODES.getOrDefault(status, "InternalServerError");
        String message = "The request was refused by a scripted fault.";
        SentAnswer answer = SentAnswer.of(
                status,
                status == 412
                        ? Errors.body(code, "Precondition failed.", List.of())
                        : Errors.body(code, message, List.of()));
        Duration retryAfter = rule.retryAfter();
        if (retryAfter == null) {
            return answer;
        }
        return answer.header(
                "Retry-After",
                rule.https().retryAfterDate() ? date(now, retryAfter) : Long.toString(retryAfter.toSeconds()));
    }

    private static String date(Instant now, Duration wait) {
        Instant date = wait.compareTo(Duration.between(now, LAST_DATE)) > 0 ? LAST_DATE : now.plus(wait);
        return HTTP_DATE.format(date.atOffset(ZoneOffset.UTC));
    }
}
