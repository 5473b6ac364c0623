package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * SelfSubjectReview and SelfSubjectAccessReview. A user is allowed everything except the requests denied by
 * {@link KubeFaults#deny}. Thread-safe.
 */
final class Reviews {

    private final KubeFaults faults;

    Reviews(KubeFaults faults) {
        this.faults = faults;
    }

    ObjectNode answer(KubeResource review, ObjectNode body, String user) {
        ObjectNode answer =
                body.deepCopy().put("apiVersion", review.apiVersion()).put("kind", review.kind());
        ObjectNode status = answer.putObject("status");
        if (review.equals(KubeResource.USER_REVIEWS)) {
            status.putObject("userInfo")
                    .put("username", user)
                    .putArray("groups")
                    .add("system:authenticated");
        } else {
            may(body.path("spec").path("resourceAttributes"), user, status);
        }
        return answer;
    }

    /** Non-resource paths are always allowed. */
    private void may(JsonNode attributes, String user, ObjectNode status) {
        RecordedRequest asked = new RecordedRequest(
                attributes.path("verb").asText(""),
                attributes.path("group").asText(""),
                attributes.path("resource").asText(""),
                attributes.path("subresource").asText(""),
                attributes.path("namespace").asText(""),
                attributes.path("name").asText(""),
                user);
        boolean denied = !attributes.isMissingNode() && faults.isDenied(asked);
        status.put("allowed", !denied)
                .put("reason", denied ? "" : "the emulator allows every request that is not denied by a fault");
    }
}
