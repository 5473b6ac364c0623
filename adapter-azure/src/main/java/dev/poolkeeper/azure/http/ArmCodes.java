package dev.poolkeeper.azure.http;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The meanings of ARM's error codes where the HTTP status is not enough: in a failed long-running operation, whose
 * status is 200, and in a 429 that is not due to throttling. {@code docs/failures.md} is this table for people.
 */
public final class ArmCodes {

    /** The meaning of a code. */
    public enum Meaning {
        /** Another operation on the load balancer is in progress; the same write may succeed later. */
        ANOTHER_OPERATION,
        /** The pool changed since it was read. */
        PRECONDITION_FAILED,
        /** Too many requests. */
        THROTTLED,
        /** Azure has a problem that may be transient, or a fresh read is needed. */
        PASSING,
        /** The same write will fail again. */
        FINAL
    }

    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            Map.entry("AnotherOperationInProgress", Meaning.ANOTHER_OPERATION),
            Map.entry("Canceled", Meaning.ANOTHER_OPERATION),
            Map.entry("CanceledAndSupersededDueToAnotherOperation", Meaning.ANOTHER_OPERATION),
            Map.entry("OperationPreempted", Meaning.ANOTHER_OPERATION),
            Map.entry("ReferencedResourceNotProvisioned", Meaning.ANOTHER_OPERATION),
            Map.entry("RetryableError", Meaning.ANOTHER_OPERATION),
            Map.entry("RetryableErrorDueToAnotherOperation", Meaning.ANOTHER_OPERATION),
            Map.entry("Conflict", Meaning.ANOTHER_OPERATION),
            Map.entry("PreconditionFailed", Meaning.PRECONDITION_FAILED),
            Map.entry("PreconditionFailedEtagMismatch", Meaning.PRECONDITION_FAILED),
            Map.entry("SubscriptionRequestsThrottled", Meaning.THROTTLED),
            Map.entry("TooManyRequests", Meaning.THROTTLED),
            Map.entry("GatewayTimeout", Meaning.PASSING),
            Map.entry("InternalError", Meaning.PASSING),
            Map.entry("InternalServerError", Meaning.PASSING),
            Map.entry("OperationTimedOut", Meaning.PASSING),
            Map.entry("ServerTimeout", Meaning.PASSING),
            Map.entry("ServiceUnavailable", Meaning.PASSING),
            // a deleted pool returns 404 on the next read; a missing related resource must not drop the operation
            // silently
            Map.entry("NotFound", Meaning.PASSING),
            Map.entry("ParentResourceNotFound", Meaning.PASSING),
            Map.entry("ResourceGroupNotFound", Meaning.PASSING),
            Map.entry("ResourceNotFound", Meaning.PASSING));

    /** ARM's refusal of addresses in a pool whose load balancer serves a Private Link service. */
    public static final String PRIVATE_LINK = "PrivateLinkServiceIsNotSupportedForIPBasedLoadBalancer";

    private static final Map<String, String> SPELLINGS = spellings();

    /**
     * The codes with which ARM refuses a token, whatever the status; further ones begin with one of these, such as
     * {@code InvalidAuthenticationTokenTenant} and {@code AuthenticationFailedInvalidHeader}.
     */
    private static final List<String> TOKEN_REFUSALS = List.of(
            "AuthenticationFailed",
            "ExpiredAuthenticationToken",
            "InvalidAuthenticationInfo",
            "InvalidAuthenticationToken");

    private ArmCodes() {}

    private static Map<String, String> spellings() {
        Map<String, String> spellings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        MEANINGS.keySet().forEach(code -> spellings.put(code, code));
        spellings.put(PRIVATE_LINK, PRIVATE_LINK);
        return spellings;
    }

    /** A code as it is spelled here: ARM's codes come in any case. One that is not known here stays as it is. */
    static String spelled(String code) {
        return SPELLINGS.getOrDefault(code, code);
    }

    /** All codes with a meaning here. */
    static Set<String> codes() {
        return MEANINGS.keySet();
    }

    /**
     * The meaning of the error; of several codes, the one that is first in {@link Meaning}; without one, it may be
     * transient.
     */
    public static Meaning meaning(ArmErrorBody error) {
        return error.codes()
                .map(code -> MEANINGS.getOrDefault(code, Meaning.FINAL))
                .min(Meaning::compareTo)
                .orElse(Meaning.PASSING);
    }

    /** Whether the token was refused, as opposed to what its identity may do. */
    static boolean isTokenRefusal(String code) {
        return TOKEN_REFUSALS.stream().anyMatch(start -> code.regionMatches(true, 0, start, 0, start.length()));
    }

    static boolean isAboutAnotherOperation(String code) {
        return MEANINGS.get(code) == Meaning.ANOTHER_OPERATION;
    }
}
