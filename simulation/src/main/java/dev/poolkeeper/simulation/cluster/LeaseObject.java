package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.emulators.kube.KubeApi;
import dev.poolkeeper.simulation.time.MachineClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One Lease at the API server, with operations of other writers and its history. */
public final class LeaseObject {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** A writer that never renews it. */
    public static final String OTHER = "another-writer";

    private final KubeApi api;
    private final String name;
    private final LongSupplier now;
    private final LockHistory history;

    LeaseObject(KubeApi api, String name, LongSupplier now) {
        this.api = api;
        this.name = name;
        this.now = now;
        this.history = new LockHistory(now);
    }

    /** The holders over time. */
    public LockHistory history() {
        return history;
    }

    private Optional<ObjectNode> get() {
        AtomicReference<AnswerPart> given = new AtomicReference<>();
        URI uri = URI.create(
                "http://kubernetes.invalid/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/" + name);
        Serving unused = api.serve(new HttpCall("GET", uri, Map.of(), new byte[0]), given::set);
        return given.get() instanceof Whole whole && whole.status() == 200
                ? Optional.of(json(whole))
                : Optional.empty();
    }

    private static ObjectNode json(Whole answer) {
        try {
            return (ObjectNode) JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void put(ObjectNode lease) {
        api.apply(lease);
        history.is(lease, false);
    }

    /** The server, with accepted writes of this Lease recorded. */
    HttpService noted(HttpService server) {
        return (call, answer) -> server.serve(call, isWrite(call) ? noting(answer) : answer);
    }

    private boolean isWrite(HttpCall call) {
        return call.method().equals("PUT") && call.uri().getPath().endsWith("/leases/" + name)
                || call.method().equals("POST") && call.uri().getPath().endsWith("/leases");
    }

    private Consumer<AnswerPart> noting(Consumer<AnswerPart> answer) {
        return part -> {
            if (part instanceof Whole whole && (whole.status() == 200 || whole.status() == 201)) {
                ObjectNode lease = json(whole);
                if (lease.path("metadata").path("name").asText().equals(name)) {
                    history.is(lease, true);
                }
            }
            answer.accept(part);
        };
    }

    /** The identity of the holder, empty if there is none. */
    public Optional<String> holder() {
        return get().map(LeaseObject::holder).filter(holder -> !holder.isBlank());
    }

    private static String holder(ObjectNode lease) {
        return lease.path("spec").path("holderIdentity").asText("");
    }

    /** All holder fields as one text, which changes with every renewal; empty if there is no Lease. */
    public Optional<String> sign() {
        return get().filter(lease -> !holder(lease).isBlank())
                .map(lease -> lease.path("spec").toString());
    }

    /** Its {@code leaseDurationSeconds}; 0 if absent. */
    int durationSeconds() {
        return get().map(
                        lease -> lease.path("spec").path("leaseDurationSeconds").asInt())
                .orElse(0);
    }

    /**
     * Another writer has created it, and no one holds it.
     *
     * @param durationSeconds 0 for none
     */
    public void create(int durationSeconds) {
        write("", durationSeconds);
    }

    /** Another client edits an unrelated field. */
    public void touch(long stamp) {
        get().ifPresent(lease -> {
            lease.withObject("/metadata/annotations").put("touched", Long.toString(stamp));
            put(lease);
        });
    }

    /**
     * An unknown writer acquires it if it is free, and does not renew it.
     *
     * @param durationSeconds 0 for none
     */
    public void take(int durationSeconds) {
        if (holder().isEmpty()) {
            write(OTHER, durationSeconds);
        }
    }

    /**
     * Acquires it as the Go provider does: only a Lease that it creates itself gets a duration. Replaces the previous
     * holder.
     */
    void takeAsGo(String holder, int durationSeconds) {
        if (get().isEmpty()) {
            create(durationSeconds);
        }
        ObjectNode lease = get().orElseThrow();
        hold(lease, holder);
        put(lease);
    }

    private void write(String holder, int durationSeconds) {
        ObjectNode lease = get().orElseGet(() -> {
            ObjectNode made = JSON.createObjectNode();
            made.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
            made.putObject("metadata").put("name", name).put("namespace", "kube-system");
            return made;
        });
        ObjectNode spec = lease.withObject("/spec");
        if (durationSeconds == 0) {
            spec.remove("leaseDurationSeconds");
        } else {
            spec.put("leaseDurationSeconds", durationSeconds);
        }
        if (!holder.isEmpty()) {
            hold(lease, holder);
        }
        history.know(durationSeconds);
        put(lease);
    }

    private void hold(ObjectNode lease, String holder) {
        String time = TIME.format(MachineClock.START.plusNanos(now.getAsLong()));
        lease.withObject("/spec")
                .put("holderIdentity", holder)
                .put("acquireTime", time)
                .put("renewTime", time);
    }

    /** The unknown writer releases it. */
    public void giveBack() {
        giveBack(OTHER);
    }

    /** No effect if another holder has it. */
    void giveBack(String from) {
        if (holder().filter(from::equals).isPresent()) {
            ObjectNode lease = get().orElseThrow();
            lease.withObject("/spec").remove("holderIdentity");
            put(lease);
        }
    }
}
