package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.emulators.kube.KubeApi;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.simulation.time.ServerTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The cluster's objects as written by its controllers, on the emulator of the API server. */
public final class ApiServer {

    private static final Duration BOOKMARKS = Duration.ofSeconds(20);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> JSON_TYPE = Map.of("Content-Type", "application/json");

    private final KubeApi api;
    private final ServerTime time;
    private final LongSupplier now;
    private HttpService service;
    private final Map<Kind, TreeMap<String, Sighting>> objects = new EnumMap<>(Kind.class);
    private final List<Consumer<Sighting>> observers = new ArrayList<>();
    private long revision = 1000;
    private long uids;

    /** @param now returns the true time */
    public ApiServer(ServerTime time, LongSupplier now) {
        this.time = time;
        this.now = now;
        this.api = new KubeApi(KubeSettings.DEFAULT.withTime(time).withBookmarkInterval(BOOKMARKS));
        this.service = api;
        for (Kind kind : Kind.values()) {
            objects.put(kind, new TreeMap<>());
        }
    }

    /** The server itself. */
    public HttpService service() {
        return service;
    }

    /** @param refusal the status with which a request is refused; 0 for none */
    void refusing(ToIntFunction<HttpCall> refusal) {
        HttpService server = service;
        service = (call, answer) -> {
            int status = refusal.applyAsInt(call);
            if (status == 0) {
                return server.serve(call, answer);
            }
            answer.accept(new Whole(status, JSON_TYPE, status(status)));
            return Serving.OVER;
        };
    }

    private static byte[] status(int code) {
        ObjectNode status = JSON.createObjectNode();
        status.put("apiVersion", "v1")
                .put("kind", "Status")
                .put("status", "Failure")
                .put("code", code);
        return status.put("message", "refused by the simulation").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Whether a watch from a compacted version is refused by a status instead of an event. */
    public void goneAsStatus(boolean now) {
        api.faults().goneAsStatus(now);
    }

    /** The observer is called for every change when it is made. */
    public void observe(Consumer<Sighting> observer) {
        observers.add(observer);
    }

    private TreeMap<String, Sighting> all(Kind kind) {
        return Objects.requireNonNull(objects.get(kind));
    }

    public long revision() {
        return revision;
    }

    public List<Sighting> list(Kind kind) {
        return List.copyOf(all(kind).values());
    }

    public Optional<Sighting> find(Kind kind, String key) {
        return Optional.ofNullable(all(kind).get(key));
    }

    /** Creates or replaces an object. No effect if its state is unchanged. */
    public void put(Kind kind, String key, Object state) {
        Sighting before = all(kind).get(key);
        Object dated = state instanceof ServiceObject service ? service.createdAt(created(before)) : state;
        if (before != null && before.state().equals(dated)) {
            return;
        }
        String uid = before == null ? "uid-" + ++uids : before.uid();
        write(new Sighting(kind, key, uid, ++revision, dated, false));
    }

    /** As the server notes it. */
    private String created(@Nullable Sighting before) {
        return before == null
                ? time.instant().truncatedTo(ChronoUnit.SECONDS).toString()
                : before.service().created();
    }

    private void write(Sighting now) {
        all(now.kind()).put(now.key(), now);
        ObjectNode json = KubernetesObjects.json(now);
        ObjectNode metadata = (ObjectNode) json.get("metadata");
        metadata.withObject("/annotations").put(KubernetesObjects.REVISION, Long.toString(now.version()));
        metadata.remove("uid"); // the server assigns its own
        metadata.remove("resourceVersion");
        api.apply(json);
        observers.forEach(observer -> observer.accept(now));
    }

    /** Writes an object again, with the same state: a Pod was replaced on its node. */
    public void touch(Kind kind, String key) {
        Sighting before = all(kind).get(key);
        if (before != null) {
            write(new Sighting(kind, key, before.uid(), ++revision, before.state(), false));
        }
    }

    public void delete(Kind kind, String key) {
        Sighting before = all(kind).remove(key);
        if (before != null) {
            Sighting now = new Sighting(kind, key, before.uid(), ++revision, before.state(), true);
            api.delete(kind.pathOf(key));
            observers.forEach(observer -> observer.accept(now));
        }
    }

    /** The current object; empty if it does not exist. */
    Optional<JsonNode> get(String path) {
        AtomicReference<AnswerPart> given = new AtomicReference<>();
        URI uri = URI.create("http://kubernetes.invalid" + path);
        Serving unused = api.serve(new HttpCall("GET", uri, Map.of(), new byte[0]), given::set);
        try {
            return given.get() instanceof Whole whole && whole.status() == 200
                    ? Optional.of(JSON.readTree(whole.body()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates or replaces an object of a kind that is not in {@link Kind}. */
    void apply(ObjectNode object) {
        api.apply(object);
    }

    /** Deletes such an object. */
    void delete(String path) {
        api.delete(path);
    }

    /** From now on no watch can continue from an earlier version. */
    public void compact() {
        api.compact();
    }

    /** A Lease of {@code kube-system}, as accessed by another client of the API server. */
    public LeaseObject lease(String name) {
        LeaseObject lease = new LeaseObject(api, name, now);
        service = lease.noted(service);
        return lease;
    }
}
