package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Reports the standing of objects without a status by Events: one for each generation and change. Not thread-safe. */
final class ProfileEvents {

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final int LONGEST_NOTE = 1_000;

    private final KubernetesClient client;
    private final String instance;
    private final Time time;
    private final Map<PolicyObject.Id, String> reported = new HashMap<>();

    ProfileEvents(KubernetesClient client, String instance, Time time) {
        this.client = client;
        this.instance = instance;
        this.time = time;
    }

    /**
     * Emits an Event with the object's standing, unless the last one said the same. Blocks.
     *
     * @throws KubernetesClientException if the API server rejects it
     */
    void report(Standing standing) {
        PolicyObject.Id id = standing.object().id();
        for (Standing.Condition condition : standing.conditions()) {
            String now = standing.object().generation() + " " + condition.reason() + " " + condition.message();
            if (!now.equals(reported.get(id))) {
                write(id, condition);
                reported.put(id, now);
            }
        }
    }

    /** Forgets objects that no longer exist. */
    void retain(Set<PolicyObject.Id> ids) {
        reported.keySet().retainAll(ids);
    }

    private void write(PolicyObject.Id id, Standing.Condition condition) {
        Instant at = time.instant();
        String note = ForeignText.line(condition.message());
        client.events()
                .v1()
                .events()
                .inNamespace(id.namespace())
                .resource(new EventBuilder()
                        .withNewMetadata()
                        .withNamespace(id.namespace())
                        .withName(name(id, at))
                        .endMetadata()
                        .withNewEventTime(MICROS.format(at))
                        .withType(condition.holds() ? "Normal" : "Warning")
                        .withReason("Policy" + condition.reason())
                        .withAction("JudgePolicy")
                        .withNote(note.length() > LONGEST_NOTE ? note.substring(0, LONGEST_NOTE) + "..." : note)
                        .withReportingController(StatusEntries.CONTROLLER)
                        .withReportingInstance(instance)
                        .withRegarding(new ObjectReferenceBuilder()
                                .withApiVersion(id.kind().apiVersion(id.version()))
                                .withKind(id.kind().kind())
                                .withNamespace(id.namespace())
                                .withName(id.name())
                                .withUid(id.uid())
                                .build())
                        .build())
                .create();
    }

    private String name(PolicyObject.Id id, Instant at) {
        String suffix = "." + Long.toHexString(at.getEpochSecond() * 1_000_000_000L + at.getNano())
                + Integer.toHexString(instance.hashCode());
        int most = 253 - suffix.length();
        return (id.name().length() > most ? id.name().substring(0, most) : id.name()) + suffix;
    }
}
