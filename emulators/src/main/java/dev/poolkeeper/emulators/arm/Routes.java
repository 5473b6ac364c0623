package dev.poolkeeper.emulators.arm;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What ARM refuses before it asks who is there. */
final class Routes {

    private static final Pattern API_VERSION = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(-preview)?");
    private static final List<String> WRITABLE = List.of("GET", "PUT", "DELETE");

    private Routes() {}

    static @Nullable ArmAnswer refuse(ArmCall call, ArmPath path) {
        if (path instanceof ArmPath.Unknown unknown) {
            return unknown(unknown);
        }
        List<String> allowed = switch (path) {
            case ArmPath.Token ignored -> List.of("POST");
            case ArmPath.LoadBalancer ignored -> WRITABLE;
            case ArmPath.Pool ignored -> WRITABLE;
            default -> List.of("GET");
        };
        return allowed.contains(call.method())
                ? null
                : Errors.methodNotAllowed(call.method(), String.join(", ", allowed));
    }

    static ArmAnswer unknown(ArmPath.Unknown path) {
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
                        "The resource type '" + names[1] + "' could not be found in the namespace"
                                + " 'Microsoft.Network'. The emulator knows load balancers and their backend address"
                                + " pools.")
                : Errors.gateway(
                        404, "InvalidResourceNamespace", "The resource namespace '" + names[0] + "' is invalid.");
    }

    static @Nullable ArmAnswer refuseVersion(String version) {
        if (version.isEmpty()) {
            return Errors.gateway(
                    400,
                    "MissingApiVersionParameter",
                    "The api-version query parameter (?api-version=) is required for all requests.");
        }
        return API_VERSION.matcher(version).matches()
                ? null
                : Errors.gateway(400, "InvalidApiVersionParameter", "The api-version '" + version + "' is invalid.");
    }

    static ArmAnswer throttled(ArmCall call, String subscription, Throttle.Refusal refusal) {
        long seconds = refusal.retryAfter().toSeconds();
        ArmAnswer answer = refusal.byNetworkProvider()
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
