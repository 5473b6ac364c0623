package dev.poolkeeper.azure.identity;

import java.util.ArrayList;
import java.util.List;

/**
 * What Azure's role-based access control says of our identity. It is advice: a role that was assigned to a single load
 * balancer is not seen at its resource group, and a deny assignment is not seen at all, so only a request itself shows
 * for sure what is allowed. Immutable.
 *
 * @param missing what no role grants at the scope that was asked
 * @param untold in one sentence each, what could not be found out and why
 */
public record AzurePermissions(List<Missing> missing, List<String> untold) {

    /**
     * An action that no role grants.
     *
     * @param action the action as role definitions spell it, such as {@code Microsoft.Network/loadBalancers/read}
     * @param scope the id of the resource group or resource where it is needed
     * @param use what it is needed for
     */
    public record Missing(String action, String scope, String use) {

        /** With the remedy, in one line. */
        public String describe() {
            return "%s is missing at %s, needed to %s: assign a role that has it to this daemon's identity"
                    .formatted(action, scope, use);
        }
    }

    public AzurePermissions {
        missing = List.copyOf(missing);
        untold = List.copyOf(untold);
    }

    /** Whether everything could be found out and nothing is missing. */
    public boolean isComplete() {
        return missing.isEmpty() && untold.isEmpty();
    }

    /** One line for each thing that an operator should know. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>();
        missing.forEach(permission -> lines.add(permission.describe()));
        lines.addAll(untold);
        return lines;
    }
}
