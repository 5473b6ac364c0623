package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.emulators.kube.KubeApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** One Lease at the API server, in the hands of another writer. */
public final class LeaseObject {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OTHER = "another-writer";

    private final KubeApi api;
    private final String name;

    LeaseObject(KubeApi api, String name) {
        this.api = api;
        this.name = name;
    }

    private Optional<ObjectNode> get() {
        AtomicReference<AnswerPart> given = new AtomicReference<>();
        URI uri = URI.create(
                "http://kubernetes.invalid/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/" + name);
        Serving unused = api.serve(new HttpCall("GET", uri, Map.of(), new byte[0]), given::set);
        try {
            return given.get() instanceof Whole whole && whole.status() == 200
                    ? Optional.of((ObjectNode) JSON.readTree(whole.body()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void put(ObjectNode lease) {
        api.apply(lease.toString());
    }

    /** Who it names, empty for no one. */
    public Optional<String> holder() {
        return get().map(lease -> lease.path("spec").path("holderIdentity").asText(""))
                .filter(holder -> !holder.isBlank());
    }

    /** Another client edits what does not matter. */
    public void touch(long stamp) {
        get().ifPresent(lease -> {
            lease.withObject("/metadata/annotations").put("touched", Long.toString(stamp));
            put(lease);
        });
    }

    /** Another writer takes it, if it is free, and does not renew it. */
    public void take(int durationSeconds) {
        if (holder().isPresent()) {
            return;
        }
        ObjectNode lease = get().orElseGet(() -> {
            ObjectNode made = JSON.createObjectNode();
            made.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
            made.putObject("metadata").put("name", name).put("namespace", "kube-system");
            return made;
        });
        lease.withObject("/spec").put("holderIdentity", OTHER).put("leaseDurationSeconds", durationSeconds);
        put(lease);
    }

    /** That writer gives it back. */
    public void giveBack() {
        if (holder().filter(OTHER::equals).isPresent()) {
            ObjectNode lease = get().orElseThrow();
            lease.withObject("/spec").remove("holderIdentity");
            put(lease);
        }
    }
}
