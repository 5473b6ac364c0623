package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Error responses with the texts of ARM and its network provider. */
final class Errors {

    private Errors() {}

    /** An error from ARM itself, before the resource provider is called. */
    static SentAnswer gateway(int status, String code, String message) {
        return error(status, code, message).header("x-ms-failure-cause", "gateway");
    }

    static SentAnswer error(int status, String code, String message) {
        return SentAnswer.of(status, body(code, message));
    }

    static ObjectNode body(String code, String message) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("error").put("code", code).put("message", message);
        return body;
    }

    /** An error body with these {@code details}, as codes and messages. */
    static ObjectNode body(String code, String message, List<Map.Entry<String, String>> details) {
        ObjectNode body = body(code, message);
        var list = body.withObject("/error").putArray("details");
        details.forEach(detail -> list.addObject().put("code", detail.getKey()).put("message", detail.getValue()));
        return body;
    }

    static SentAnswer subscriptionNotFound(String subscription) {
        return gateway(404, "SubscriptionNotFound", "The subscription '" + subscription + "' could not be found.");
    }

    static SentAnswer resourceGroupNotFound(String resourceGroup) {
        return gateway(404, "ResourceGroupNotFound", "Resource group '" + resourceGroup + "' could not be found.");
    }

    static SentAnswer loadBalancerNotFound(String loadBalancer, String resourceGroup) {
        return gateway(
                404,
                "ResourceNotFound",
                "The Resource 'Microsoft.Network/loadBalancers/" + loadBalancer + "' under resource group '"
                        + resourceGroup + "' was not found. For more details please go to"
                        + " https://aka.ms/ARMResourceNotFoundFix");
    }

    static SentAnswer parentNotFound(String loadBalancer) {
        return gateway(
                404,
                "ParentResourceNotFound",
                "Can not perform requested operation on nested resource. Parent resource '" + loadBalancer
                        + "' not found.");
    }

    static SentAnswer notFound(String id) {
        return SentAnswer.of(404, body("NotFound", "Resource " + id + " not found.", List.of()));
    }

    static SentAnswer preconditionFailed(String detail) {
        return SentAnswer.of(
                412,
                body(
                        "PreconditionFailed",
                        "Precondition failed.",
                        List.of(Map.entry("PreconditionFailedEtagMismatch", detail))));
    }

    static SentAnswer invalidContent(String problem) {
        return error(
                400,
                "InvalidRequestContent",
                "The request content was invalid and could not be deserialized: '" + problem + "'.");
    }

    static SentAnswer methodNotAllowed(String method, String allowed) {
        return gateway(405, "MethodNotAllowed", "The requested resource does not support http method '" + method + "'.")
                .header("Allow", allowed);
    }

    static SentAnswer anotherOperation(String uri) {
        return error(
                409,
                "AnotherOperationInProgress",
                "Another operation on this or dependent resource is in progress. To retrieve status of the operation"
                        + " use uri: " + uri + ".");
    }

    static SentAnswer retryable(String operation, String operationId, String resource, long seconds) {
        return SentAnswer.of(
                        429,
                        body(
                                "RetryableError",
                                "A retryable error occurred.",
                                List.of(Map.entry(
                                        "RetryableErrorDueToAnotherOperation",
                                        "Operation " + operation + " (" + operationId + ") is updating resource "
                                                + resource + ". The call can be retried in " + seconds
                                                + " seconds."))))
                .header("Retry-After", Long.toString(seconds));
    }
}
