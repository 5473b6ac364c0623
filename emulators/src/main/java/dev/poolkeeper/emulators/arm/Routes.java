package dev.poolkeeper.emulators.arm;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The errors that ARM returns before authentication. */
final class Routes {

    private static final String PREVIEW = "-preview";
    private static final List<String> LOAD_BALANCER = List.of("GET", "PUT", "PATCH", "DELETE");
    private static final List<String> POOL = List.of("GET", "PUT", "DELETE");

    private Routes() {}

    static @Nullable SentAnswer refuse(ReceivedCall call, ArmPath path) {
        if (path instanceof ArmPath.Unknown unknown) {
            return unknown(unknown);
        }
        List<String> allowed = switch (path) {
            case ArmPath.Token ignored -> List.of("POST");
            case ArmPath.LoadBalancer ignored -> LOAD_BALANCER;
            case ArmPath.Pool ignored -> POOL;
            default -> List.of("GET");
        };
        return allowed.contains(call.method())
                ? null
                : Errors.methodNotAllowed(call.method(), String.join(", ", allowed));
    }

    static SentAnswer unknown(ArmPath.Unknown path) {
        String lower = path.path().toLowerCase(Locale.ROOT);
        int provider = lower.lastIndexOf("/providers/");
        String[] names = provider < 0
                ? new String[0]
                : path.path().substring(provider + "/providers/".length()).split("/");
        if (names.length < 2) {
            return Errors.gateway(404, "ResourceNotFound", "The resource '" + path.path() + "' was not found.");
        }
        return names[0].equalsIgnoreCase("Microsoft.Network")
                ? Errors.gateway(
                        404,
                        "InvalidResourceType",
                        "The resource type '" + type(names) + "' could not be found in the namespace"
                                + " 'Microsoft.Network'. The emulator knows load balancers and their backend address"
                                + " pools.")
                : Errors.gateway(
                        404, "InvalidResourceNamespace", "The resource namespace '" + names[0] + "' is invalid.");
    }

    static @Nullable SentAnswer refuseVersion(String version) {
        if (version.isEmpty()) {
            return Errors.gateway(
                    400,
                    "MissingApiVersionParameter",
                    "The api-version query parameter (?api-version=) is required for all requests.");
        }
        return isDate(version)
                ? null
                : Errors.gateway(400, "InvalidApiVersionParameter", "The api-version '" + version + "' is invalid.");
    }

    private static boolean isDate(String version) {
        try {
            LocalDate.parse(
                    version.endsWith(PREVIEW) ? version.substring(0, version.length() - PREVIEW.length()) : version);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** The nested type, such as {@code loadBalancers/probes}, from a provider followed by types and names. */
    private static String type(String[] names) {
        StringJoiner type = new StringJoiner("/");
        for (int i = 1; i < names.length; i += 2) {
            type.add(names[i]);
        }
        return type.toString();
    }

    static SentAnswer throttled(ReceivedCall call, String subscription, Throttle.Refusal refusal) {
        long seconds = refusal.retryAfter().toSeconds();
        SentAnswer answer = refusal.byNetworkProvider()
                ? Errors.error(
                        429,
                        "TooManyRequests",
                        "The request is being throttled as the limit has been reached for this operation type.")
                : Errors.gateway(
                        429,
                        "SubscriptionRequestsThrottled",
                        "Number of requests for subscription '" + subscription + "' and operation '" + call.method()
                                + "' exceeded the backend storage limit. Please try again after '" + seconds
                                + "' seconds.");
        return answer.header("Retry-After", Long.toString(seconds));
    }
}
