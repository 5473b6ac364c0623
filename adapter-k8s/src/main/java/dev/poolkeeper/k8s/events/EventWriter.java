package dev.poolkeeper.k8s.events;

import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Writes Events of {@code events.k8s.io/v1}. Used by one thread at a time. */
final class EventWriter {

    /** The annotation with the full message of the last occurrence, including ids and instants. */
    static final String MESSAGE = "poolkeeper.dev/message";

    /** The annotation with the load balancer and the pool that the Event is about. */
    static final String POOL = "poolkeeper.dev/pool";

    private static final String ACTION = "UpdateBackendPool";
    private static final int NOT_FOUND = 404;
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final KubernetesClient client;
    private final EventSettings settings;
    private final Time time;
    private long written;

    EventWriter(KubernetesClient client, EventSettings settings, Time time) {
        this.client = client;
        this.settings = settings;
        this.time = time;
    }

    /**
     * @param uid the Service's uid, empty if unknown
     * @throws KubernetesClientException if the API server rejects it
     */
    void write(ServiceEvent event, String uid, EventCorrelator.Sighting sighting, Instant at) {
        String name = sighting.eventName;
        if (name == null || !countUp(event, name, sighting.count, at)) {
            Event created = client.events()
                    .v1()
                    .events()
                    .inNamespace(event.service().namespace())
                    .resource(event(event, uid, sighting.note, at))
                    .create();
            sighting.eventName = created.getMetadata().getName();
            sighting.count = 1;
        }
    }

    /**
     * False if the Event no longer exists: API servers keep Events for an hour. Does not use Fabric8's {@code patch},
     * which reads the object first and would need another permission.
     */
    private boolean countUp(ServiceEvent event, String name, int count, Instant at) {
        String path = "apis/events.k8s.io/v1/namespaces/%s/events/%s"
                .formatted(event.service().namespace(), name);
        String patch = client.getKubernetesSerialization()
                .asJson(Map.of(
                        "metadata",
                        Map.of("annotations", Map.of(MESSAGE, EventTexts.message(event.message()))),
                        "series",
                        Map.of("count", Math.max(2, count), "lastObservedTime", MICROS.format(at))));
        HttpClient http = client.getHttpClient();
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + path)
                .patch("application/merge-patch+json", patch)
                .build();
        try {
            HttpResponse<String> response =
                    time.await(http.sendAsync(request, String.class), KubernetesClients.REQUEST_TIMEOUT);
            if (!response.isSuccessful() && response.code() != NOT_FOUND) {
                throw new KubernetesClientException(response.body(), response.code(), null);
            }
            return response.isSuccessful();
        } catch (ExecutionException | TimeoutException e) {
            throw new KubernetesClientException("PATCH " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KubernetesClientException("PATCH " + path, e);
        }
    }

    private Event event(ServiceEvent event, String uid, String note, Instant at) {
        ServiceName service = event.service();
        ObjectReferenceBuilder regarding = new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Service")
                .withNamespace(service.namespace())
                .withName(service.name());
        if (!uid.isEmpty()) {
            regarding.withUid(uid);
        }
        long nanos = at.getEpochSecond() * 1_000_000_000L + at.getNano() + written++;
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(service.namespace())
                .withName(service.name() + "." + Long.toHexString(nanos)
                        + Integer.toHexString(settings.reportingInstance().hashCode()))
                .addToAnnotations(MESSAGE, EventTexts.message(event.message()))
                .addToAnnotations(POOL, EventTexts.message(event.pool().toString()))
                .endMetadata()
                .withNewEventTime(MICROS.format(at))
                .withType(event.reason().type())
                .withReason(event.reason().toString())
                .withAction(ACTION)
                .withNote(note)
                .withReportingController(EventSettings.CONTROLLER)
                .withReportingInstance(settings.reportingInstance())
                .withRegarding(regarding.build())
                .build();
    }
}
