package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Issues tokens like Microsoft Entra ID, and checks them. Thread-safe. */
final class Tokens {

    private static final String BEARER = "bearer ";

    private final InstantSource clock;
    private final Ids ids;
    private final Map<String, Instant> expiries = new ConcurrentHashMap<>();

    Tokens(InstantSource clock, Ids ids) {
        this.clock = clock;
        this.ids = ids;
    }

    /** The response of the token endpoint; accepts a client secret, or the assertion of a certificate or a workload. */
    SentAnswer give(ReceivedCall call, ArmSettings settings) {
        Map<String, String> form = form(call.body());
        if (!"client_credentials".equals(form.get("grant_type"))) {
            return refusal(
                    400,
                    "unsupported_grant_type",
                    "AADSTS70003: The app requested an unsupported grant type '" + form.getOrDefault("grant_type", "")
                            + "'.");
        }
        if (isMissing(form, "client_id")) {
            return refusal(
                    400,
                    "invalid_request",
                    "AADSTS900144: The request body must contain the following parameter: 'client_id'.");
        }
        if (isMissing(form, "client_secret") && isMissing(form, "client_assertion")) {
            return refusal(
                    401,
                    "invalid_client",
                    "AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or"
                            + " 'client_secret'.");
        }
        String token = ids.next() + "." + ids.next();
        long seconds = settings.tokenLifetime.toSeconds();
        Instant now = clock.instant();
        expiries.values().removeIf(expiry -> !now.isBefore(expiry));
        expiries.put(token, now.plusSeconds(seconds));
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("token_type", "Bearer").put("expires_in", seconds).put("ext_expires_in", seconds);
        body.put("access_token", token);
        return SentAnswer.of(200, body);
    }

    private static boolean isMissing(Map<String, String> form, String field) {
        return form.getOrDefault(field, "").isEmpty();
    }

    private static SentAnswer refusal(int status, String error, String description) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        return SentAnswer.of(status, body.put("error", error).put("error_description", description));
    }

    /** The response to a call without a valid token; null if it has one. */
    @Nullable
    SentAnswer refuse(ReceivedCall call, ArmSettings settings) {
        String authorization = call.header("Authorization");
        if (authorization == null) {
            return unauthorized(
                    call, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.");
        }
        if (!authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return unauthorized(
                    call,
                    "AuthenticationFailedInvalidHeader",
                    "Authentication failed. The 'Authorization' header is provided in an invalid format.");
        }
        String token = authorization.substring(BEARER.length()).strip();
        if (!token.isEmpty() && !settings.onlyIssuedTokens) {
            return null;
        }
        Instant expiry = expiries.get(token);
        if (expiry == null) {
            return unauthorized(call, "InvalidAuthenticationToken", "The access token is invalid.");
        }
        return clock.instant().isBefore(expiry)
                ? null
                : unauthorized(
                        call,
                        "ExpiredAuthenticationToken",
                        "The access token expiry UTC time is earlier than" + " current UTC time.");
    }

    private static SentAnswer unauthorized(ReceivedCall call, String code, String message) {
        return Errors.gateway(401, code, message)
                .header(
                        "WWW-Authenticate",
                        "Bearer authorization_uri=\"" + call.base() + "/common\", error=\"invalid_token\","
                                + " error_description=\"" + message + "\"");
    }

    private static Map<String, String> form(byte[] body) {
        Map<String, String> form = new HashMap<>();
        for (String pair : new String(body, StandardCharsets.UTF_8).split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                try {
                    form.put(
                            pair.substring(0, equals),
                            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
                } catch (IllegalArgumentException e) {
                    form.remove(pair.substring(0, equals)); // ignore parameters that cannot be decoded
                }
            }
        }
        return form;
    }
}
