package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Role-based access control: the action that a call needs, and the caller's permissions. */
final class Access {

    private static final String NETWORK = "Microsoft.Network/loadBalancers";

    private Access() {}

    /** The response to a call that the role does not allow; null if it is allowed. */
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

    /** Null for polls, which need no permission beyond that for the write. */
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
