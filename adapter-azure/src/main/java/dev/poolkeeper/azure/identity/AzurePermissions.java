package dev.poolkeeper.azure.identity;

import java.util.ArrayList;
import java.util.List;

/**
 * The permissions of our identity according to Azure's role-based access control. They are a hint only: roles assigned
 * on a single load balancer and deny assignments are not visible, so only an actual request shows what is allowed.
 * Immutable.
 *
 * @param missing actions that no role grants at the queried scope
 * @param unknown where permissions could not be determined, and why
 */
public record AzurePermissions(List<Missing> missing, List<Unknown> unknown) {

    /**
     * An action that no role grants.
     *
     * @param action the action as in role definitions, such as {@code Microsoft.Network/loadBalancers/read}
     * @param scope the id of the resource group or resource for which it is needed
     * @param use the purpose
     */
    public record Missing(String action, String scope, String use) {

        /** The missing action and the remedy, in one line. */
        public String describe() {
            return "%s is missing at %s, needed to %s: assign a role that grants it to this daemon's identity"
                    .formatted(action, scope, use);
        }
    }

    /**
     * A scope at which nothing is known.
     *
     * @param scope the id of a resource group or resource
     * @param reason one sentence
     */
    public record Unknown(String scope, String reason) {}

    public AzurePermissions {
        missing = List.copyOf(missing);
        unknown = List.copyOf(unknown);
    }

    /** Whether all permissions could be determined and none is missing. */
    public boolean isComplete() {
        return missing.isEmpty() && unknown.isEmpty();
    }

    /** One line for each problem. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        missing.forEach(permission -> lines.add(permission.describe()));
        unknown.forEach(one -> lines.add(one.reason()));
        return lines;
    }
}
