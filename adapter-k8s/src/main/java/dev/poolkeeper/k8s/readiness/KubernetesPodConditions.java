package dev.poolkeeper.k8s.readiness;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.Time.Cancellable;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Patches {@code pods/status}. A patch carries the Pod's uid and a single condition: the API server rejects it for
 * another Pod of that name, and merges it with conditions from other writers. Needs the verb {@code patch} on
 * {@code pods/status} and no other, because nothing is read first. Thread-safe.
 */
public final class KubernetesPodConditions implements PodConditions {

    /** Not found, and conflict. */
    private static final Set<Integer> OUTDATED = Set.of(404, 409);

    /** The answer to any invalid request; also to a different uid, because a uid cannot be changed. */
    private static final int INVALID = 422;

    private final KubernetesClient client;
    private final Time time;

    /** @param client from {@link KubernetesClients#forObjects}; the caller closes it */
    public KubernetesPodConditions(KubernetesClient client, Time time) {
        this.client = requireNonNull(client, "client");
        this.time = requireNonNull(time, "time");
    }

    @Override
    public CompletableFuture<Result> set(PodState pod, ReadinessCondition condition) {
        PodId id = pod.id();
        String path = "api/v1/namespaces/%s/pods/%s/status".formatted(id.namespace(), id.name());
        try {
            HttpClient http = client.getHttpClient();
            HttpRequest request = http.newHttpRequestBuilder()
                    .uri(client.getMasterUrl() + path)
                    .patch("application/strategic-merge-patch+json", patch(pod, condition))
                    .build();
            CompletableFuture<Result> answer = http.sendAsync(request, String.class)
                    .thenApply(this::result)
                    .exceptionally(thrown -> unanswered(path, thrown));
            Cancellable timer = time.schedule(
                    KubernetesClients.REQUEST_TIMEOUT,
                    () -> answer.complete(unanswered(path, new TimeoutException("no response in time"))));
            return answer.whenComplete((result, thrown) -> timer.cancel());
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(unanswered(path, e));
        }
    }

    private static Result unanswered(String path, Throwable thrown) {
        return new Unanswered("PATCH %s: %s".formatted(path, ApiFailure.cause(thrown)));
    }

    private String patch(PodState pod, ReadinessCondition condition) {
        return client.getKubernetesSerialization()
                .asJson(Map.of(
                        "metadata",
                        condition.met()
                                ? Map.of("uid", pod.id().uid())
                                : Map.of("uid", pod.id().uid(), "resourceVersion", pod.version()),
                        "status",
                        Map.of(
                                "conditions",
                                List.of(Map.of(
                                        "type",
                                        PodState.GATE,
                                        "status",
                                        condition.met() ? "True" : "False",
                                        "reason",
                                        condition.reason(),
                                        "message",
                                        ForeignText.line(condition.message()),
                                        "lastTransitionTime",
                                        condition.since().toString())))));
    }

    private Result result(HttpResponse<String> response) {
        if (response.isSuccessful()) {
            return new Written();
        }
        Optional<Status> status = ApiFailure.refusal(response.body());
        String why = "HTTP " + response.code()
                + status.map(Status::getMessage)
                        .map(message -> ": " + ForeignText.line(message))
                        .orElse("");
        return OUTDATED.contains(response.code()) || response.code() == INVALID && isOfAnotherPod(status)
                ? new Outdated(why)
                : new Refused(why);
    }

    private static boolean isOfAnotherPod(Optional<Status> status) {
        return status.map(Status::getDetails).map(StatusDetails::getCauses).stream()
                .flatMap(List::stream)
                .filter(Objects::nonNull)
                .anyMatch(cause -> "metadata.uid".equals(cause.getField()));
    }
}
