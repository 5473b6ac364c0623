package dev.poolkeeper.emulators.arm;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks the names of load balancers and their pools. */
final class ResourceNames {

    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,78}[A-Za-z0-9_])?");

    private ResourceNames() {}

    /** The response to a write with this name; null if the name is valid. */
    static @Nullable SentAnswer refuse(String name) {
        return ALLOWED.matcher(name).matches()
                ? null
                : Errors.error(
                        400,
                        "InvalidResourceName",
                        "Resource name " + name + " is invalid. The name can be up to 80 characters long. It must begin"
                                + " with a word character, and it must end with a word character or with '_'. The name"
                                + " may contain word characters or '.', '-', '_'.");
    }

    /** The response to a write with an invalid name in its path; null for every other call. */
    static @Nullable SentAnswer refuse(ReceivedCall call, ArmPath path) {
        if (!call.method().equals("PUT")) {
            return null;
        }
        return switch (path) {
            case ArmPath.LoadBalancer one -> refuse(one.loadBalancer());
            case ArmPath.Pool one -> refuse(one.pool());
            default -> null;
        };
    }
}
