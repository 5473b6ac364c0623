package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Role-based access control: which action a call takes, and what the caller may do. */
final class Access {

    private static final String NETWORK = "Microsoft.Network/loadBalancers";

    private Access() {}

    /** The answer to a call that no role allows; null where one does. */
    static @Nullable SentAnswer refuse(ReceivedCall call, ArmPath path, ArmRole role) {
        String action = action(call, path);
        return action == null || role.grants(action)
                ? null
                : Errors.gateway(
                        403,
                        "AuthorizationFailed",
                        "The client with object id '00000000-0000-0000-0000-000000000000' does not have authorization"
                                + " to perform action '" + action + "' over scope '" + call.rawPath()
                                + "' or the scope is invalid.");
    }

    /** Null for polls: who may write may see what became of it. */
    private static @Nullable String action(ReceivedCall call, ArmPath path) {
        String verb = switch (call.method()) {
            case "PUT", "PATCH" -> "write";
            case "DELETE" -> "delete";
            default -> "read";
        };
        return switch (path) {
            case ArmPath.LoadBalancers all -> NETWORK + "/" + verb;
            case ArmPath.LoadBalancer one -> NETWORK + "/" + verb;
            case ArmPath.Pools all -> NETWORK + "/backendAddressPools/" + verb;
            case ArmPath.Pool one -> NETWORK + "/backendAddressPools/" + verb;
            case ArmPath.Permissions permissions -> "Microsoft.Authorization/permissions/" + verb;
            case ArmPath.OperationState operation -> null;
            case ArmPath.Token token -> null;
            case ArmPath.Metadata metadata -> null;
            case ArmPath.Keys keys -> null;
            case ArmPath.Endpoints endpoints -> null;
            case ArmPath.Unknown unknown -> null;
        };
    }

    /** The caller's permissions at any scope: those of its one role. */
    static SentAnswer permissions(ArmRole role) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode permission = body.putArray("value").addObject();
        role.actions().forEach(permission.putArray("actions")::add);
        role.notActions().forEach(permission.putArray("notActions")::add);
        permission.putArray("dataActions");
        permission.putArray("notDataActions");
        return SentAnswer.of(200, body);
    }
}
