package dev.poolkeeper.k8s.events;

import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
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
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Writes Events of {@code events.k8s.io/v1}. Used by one thread at a time. */
final class EventWriter {

    private static final String ACTION = "UpdateBackendPool";
    private static final int NOT_FOUND = 404;

    private final KubernetesClient client;
    private final EventSettings settings;
    private final Function<ServiceName, Optional<String>> uids;
    private long written;

    EventWriter(KubernetesClient client, EventSettings settings, Function<ServiceName, Optional<String>> uids) {
        this.client = client;
        this.settings = settings;
        this.uids = uids;
    }

    /** @throws KubernetesClientException if the API server does not take it */
    void write(ServiceEvent event, EventCorrelator.Sighting sighting, Instant at) {
        String name = sighting.eventName;
        if (name == null || !countUp(event, name, sighting.count, at)) {
            Event created = client.events()
                    .v1()
                    .events()
                    .inNamespace(event.service().namespace())
                    .resource(event(event, sighting.note, at))
                    .create();
            sighting.eventName = created.getMetadata().getName();
            sighting.count = 1;
        }
    }

    /**
     * False if the Event is not there any more: API servers keep them for an hour. Not with Fabric8's own
     * {@code patch}, which reads the object first and so needs one more permission.
     */
    private boolean countUp(ServiceEvent event, String name, int count, Instant at) {
        String path = "apis/events.k8s.io/v1/namespaces/%s/events/%s"
                .formatted(event.service().namespace(), name);
        String patch =
                "{\"series\":{\"count\":%d,\"lastObservedTime\":\"%s\"}}".formatted(Math.max(2, count), micros(at));
        HttpClient http = client.getHttpClient();
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl() + path)
                .patch("application/merge-patch+json", patch)
                .build();
        try {
            HttpResponse<String> response = http.sendAsync(request, String.class)
                    .get(client.getConfiguration().getRequestTimeout(), TimeUnit.MILLISECONDS);
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

    private static String micros(Instant at) {
        return java.time.format.DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
                .format(utc(at));
    }

    private static ZonedDateTime utc(Instant at) {
        return at.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }

    private Event event(ServiceEvent event, String note, Instant at) {
        ServiceName service = event.service();
        ObjectReferenceBuilder regarding = new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Service")
                .withNamespace(service.namespace())
                .withName(service.name());
        uids.apply(service).ifPresent(regarding::withUid);
        long nanos = at.getEpochSecond() * 1_000_000_000L + at.getNano() + written++;
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(service.namespace())
                .withName(service.name() + "." + Long.toHexString(nanos)
                        + Integer.toHexString(settings.reportingInstance().hashCode()))
                .endMetadata()
                .withNewEventTime(micros(at))
                .withType(event.reason().type().toString())
                .withReason(event.reason().toString())
                .withAction(ACTION)
                .withNote(note)
                .withReportingController(settings.reportingController())
                .withReportingInstance(settings.reportingInstance())
                .withRegarding(regarding.build())
                .build();
    }
}
