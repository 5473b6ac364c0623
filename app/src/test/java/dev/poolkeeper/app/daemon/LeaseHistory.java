package dev.poolkeeper.app.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The holders of a Lease over time. A hold starts at the time that the holder writes for its acquisition, and ends at
 * that of its release or of the next holder's acquisition: all of them read this machine's clock before they send.
 *
 * <p>It watches without a socket: the watch of the Leases must not end before the test does.
 */
final class LeaseHistory {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private record Change(Instant at, String holder) {}

    private final List<Change> changes = new CopyOnWriteArrayList<>();

    private final String lease;

    private LeaseHistory(String lease) {
        this.lease = lease;
    }

    /** From now on, as long as the emulator runs. */
    static LeaseHistory follow(KubeEmulator kube, String lease) {
        LeaseHistory history = new LeaseHistory(lease);
        HttpCall watch = new HttpCall("GET", URI.create(LEASES + "?watch=true"), Map.of(), new byte[0]);
        Serving unused = kube.api().serve(watch, history::read);
        return history;
    }

    private void read(AnswerPart part) {
        if (part instanceof AnswerPart.Frame(byte[] line)) {
            try {
                take(MAPPER.readTree(line));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void take(JsonNode event) {
        JsonNode object = event.path("object");
        if (!object.path("metadata").path("name").asText().equals(lease)) {
            return;
        }
        JsonNode spec = object.path("spec");
        String holder = event.path("type").asText().equals("DELETED")
                ? ""
                : spec.path("holderIdentity").asText("");
        Instant at = event.path("type").asText().equals("DELETED")
                ? Instant.now()
                : Instant.parse(spec.path("renewTime").asText());
        if (changes.isEmpty() || !changes.getLast().holder.equals(holder)) {
            changes.add(new Change(at, holder));
        }
    }

    /** The latest holder, empty for none. */
    String holder() {
        return changes.isEmpty() ? "" : changes.getLast().holder;
    }

    /** The holder at this moment, empty for none. */
    String holderAt(Instant at) {
        return changes.stream()
                .filter(change -> !change.at.isAfter(at))
                .reduce((first, second) -> second)
                .map(Change::holder)
                .orElse("");
    }

    @Override
    public String toString() {
        return lease + ": " + changes;
    }
}
