package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A Kubernetes API server in memory, without a socket: Services, Nodes, Namespaces and Events (core/v1),
 * EndpointSlices, Leases, Events of {@code events.k8s.io} and, as custom kinds, HTTPRoutes, XBackendTrafficPolicies and
 * ServiceProfiles, with list in pages, watch, get, create, update, merge and strategic merge patch, delete, the
 * subresource {@code status}, and the tables that {@code kubectl get} prints. It supports {@code SelfSubjectReview} and
 * {@code SelfSubjectAccessReview}, and has the namespaces {@code default} and {@code kube-system}. {@link KubeEmulator}
 * serves it over HTTP.
 *
 * <p>Every request is recorded in RBAC terms. A watch sends a {@link AnswerPart.Frame} for each event, in the thread
 * that makes the change. Thread-safe.
 */
public final class KubeApi implements HttpService {

    private final ObjectStore store;
    private final Resources resources = new Resources();
    private final KubeFaults faults;
    private final OpenWatches openWatches = new OpenWatches();
    private final RequestHandler handler;

    /** @param settings the settings; those for sockets and certificates are ignored */
    public KubeApi(KubeSettings settings) {
        this.store = new ObjectStore(settings.time(), settings.history());
        this.faults = new KubeFaults(store::signal);
        this.handler = new RequestHandler(store, resources, faults, settings, openWatches);
        serve(CustomKind.X_BACKEND_TRAFFIC_POLICY);
        serve(CustomKind.HTTP_ROUTE);
        serve(CustomKind.SERVICE_PROFILE);
        createNamespace("default");
        createNamespace("kube-system");
    }

    @Override
    public Serving serve(HttpCall call, Consumer<AnswerPart> answer) {
        return handler.serve(new KubeCall(call, answer));
    }

    /** The faults to inject. */
    public KubeFaults faults() {
        return faults;
    }

    /** The latest 100,000 requests, in order, without discovery requests. */
    public List<RecordedRequest> requests() {
        return handler.requests();
    }

    /** The number of open watches. */
    public long openWatches() {
        AtomicInteger count = new AtomicInteger();
        store.locked(() -> count.set(openWatches.count()));
        return count.get();
    }

    /** Sends a bookmark on every watch that requested them, immediately and regardless of the settings. */
    public void bookmark() {
        store.locked(openWatches::bookmark);
    }

    /** Ends every open watch. */
    public void cutWatches() {
        store.locked(openWatches::cut);
    }

    /** Drops the changes so far: a watch or list continued from before gets a 410. */
    public void compact() {
        store.compact();
    }

    /** Serves a kind from now on, as if its CustomResourceDefinition had been created. */
    public void serve(CustomKind kind) {
        resources.add(kind.resource());
    }

    /**
     * Stops serving a kind and ends its watches. Its objects are kept and reappear when it is served again; delete them
     * first to emulate the deletion of a CustomResourceDefinition.
     */
    public void withdraw(CustomKind kind) {
        resources.remove(kind.resource());
        store.locked(() -> openWatches.cut(kind.resource()));
    }

    public void createNamespace(String name) {
        ObjectNode namespace = KubeJson.object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", name);
        namespace.putObject("status").put("phase", "Active");
        store.create("namespaces", namespace);
    }

    /**
     * Creates or replaces an object, including its status, like another client.
     *
     * @param json the object; its namespace is created if missing
     * @throws IllegalArgumentException if it is not an object of a served kind
     */
    public void apply(String json) {
        apply(parse(json));
    }

    /**
     * The same of an object that is read already, and stays the caller's.
     *
     * @throws IllegalArgumentException if it is of no kind that is served here
     */
    public void apply(ObjectNode object) {
        KubeResource resource = resources
                .ofKind(
                        object.path("apiVersion").asText(""),
                        object.path("kind").asText(""))
                .orElseThrow(() -> new IllegalArgumentException(
                        "kind is not served: %s %s".formatted(object.path("apiVersion"), object.path("kind"))));
        ObjectNode stored = EventVersions.stored(resource, Defaults.filled(resource, object.deepCopy()));
        if (resource.namespaced()) {
            createNamespace(KubeJson.namespace(object));
        }
        Generations.created(resource, stored);
        while (store.create(resource.storage(), stored) == null) {
            ObjectNode there = store.get(resource.storage(), KubeJson.namespace(object), KubeJson.name(object));
            Generations.replaced(resource, there, stored);
            if (there != null && store.replace(resource.storage(), there, stored) != null) {
                return;
            }
        }
    }

    private static ObjectNode parse(String json) {
        try {
            JsonNode node = KubeJson.MAPPER.readTree(json);
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw new IllegalArgumentException("not a JSON object: " + json);
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
        }
    }

    /**
     * Deletes an object like another client; no effect if it does not exist.
     *
     * @param path as in requests, such as {@code /api/v1/namespaces/shop/services/web}
     */
    public void delete(String path) {
        KubePath.parse(path, resources)
                .ifPresent(parsed -> delete(parsed.resource(), parsed.namespace(), parsed.name()));
    }

    void delete(KubeResource resource, String namespace, String name) {
        store.delete(resource.storage(), namespace, name);
    }
}
