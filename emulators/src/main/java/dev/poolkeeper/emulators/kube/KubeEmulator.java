package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.poolkeeper.emulators.tls.LoopbackTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API server on the loopback interface, in memory: Services, Nodes, Namespaces and Events (core/v1),
 * EndpointSlices, Leases and Events of {@code events.k8s.io}, with list in pages, watch, get, create, update, merge and
 * strategic merge patch, delete, the subresource {@code status}, and the tables that {@code kubectl get} prints. It
 * answers who somebody is and what they may do ({@code SelfSubjectReview}, {@code SelfSubjectAccessReview}). It has the
 * namespaces {@code default} and {@code kube-system}.
 *
 * <p>It listens on the loopback address only; TLS and bearer tokens are there where {@link KubeSettings} ask for them.
 * Every request is recorded in the words of RBAC. Thread-safe.
 */
public final class KubeEmulator implements AutoCloseable {

    private final KubeSettings settings;
    private final @Nullable LoopbackTls tls;
    private final ObjectStore store;
    private final KubeFaults faults;
    private final RequestHandler handler;
    private final int port;
    private HttpServer server;
    private ExecutorService threads;

    private KubeEmulator(KubeSettings settings) throws IOException {
        this.settings = settings;
        this.tls = settings.tls() ? LoopbackTls.create(settings.clock().instant()) : null;
        this.store = new ObjectStore(settings.clock());
        this.faults = new KubeFaults(store::signal);
        this.handler = new RequestHandler(store, faults, settings);
        this.threads = Executors.newVirtualThreadPerTaskExecutor();
        this.server = open(settings.port());
        this.port = server.getAddress().getPort();
        for (String namespace : List.of("default", "kube-system")) {
            createNamespace(namespace);
        }
    }

    /** Starts one on a free port, with {@link KubeSettings#DEFAULT}. */
    public static KubeEmulator start() throws IOException {
        return start(KubeSettings.DEFAULT);
    }

    /** @param port the port on the loopback address, 0 for a free one */
    public static KubeEmulator start(int port) throws IOException {
        return start(KubeSettings.DEFAULT.withPort(port));
    }

    /** @throws IOException if the port is taken */
    public static KubeEmulator start(KubeSettings settings) throws IOException {
        return new KubeEmulator(settings);
    }

    private HttpServer open(int onPort) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), onPort);
        HttpServer opened = tls == null ? HttpServer.create(address, 0) : https(address, tls);
        opened.setExecutor(threads);
        opened.createContext("/", handler::handle);
        opened.start();
        return opened;
    }

    private static HttpServer https(InetSocketAddress address, LoopbackTls tls) throws IOException {
        HttpsServer opened = HttpsServer.create(address, 0);
        opened.setHttpsConfigurator(new HttpsConfigurator(tls.server()));
        return opened;
    }

    /** Where it listens, without a slash at the end. */
    public URI uri() {
        return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port);
    }

    /** The certificate of the authority to trust, in PEM; empty without TLS. */
    public Optional<String> certificateAuthority() {
        return Optional.ofNullable(tls).map(LoopbackTls::authorityPem);
    }

    /**
     * The text of a kubeconfig file for this emulator, good as long as it runs. It has a context for each user of
     * {@link KubeSettings#tokens}, of the user's name; the first one's is the current one.
     */
    public String kubeconfig() {
        return Kubeconfig.text(uri(), certificateAuthority().orElse(null), settings.tokens(), null);
    }

    /**
     * The text of a kubeconfig file whose current context is that of one user.
     *
     * @throws IllegalArgumentException if there is no such user
     */
    public String kubeconfig(String user) {
        if (!settings.tokens().containsValue(user)) {
            throw new IllegalArgumentException("no user has the name \"%s\", known are %s"
                    .formatted(user, settings.tokens().values()));
        }
        return Kubeconfig.text(uri(), certificateAuthority().orElse(null), settings.tokens(), user);
    }

    /** What goes wrong. */
    public KubeFaults faults() {
        return faults;
    }

    /** The requests so far, in order; those to discovery are left out. */
    public List<RecordedRequest> requests() {
        return List.copyOf(handler.requests());
    }

    /** How many watches are open now. */
    public long openWatches() {
        return handler.openWatches();
    }

    /** Sends a bookmark on every watch that wants them, at once and whatever the settings say. */
    public void bookmark() {
        handler.bookmarks().incrementAndGet();
        store.signal();
    }

    /** Ends every open watch. */
    public void cutWatches() {
        handler.cuts().incrementAndGet();
        store.signal();
    }

    /** Forgets the changes so far: a watch or page from before is answered with 410. */
    public void compact() {
        store.compact();
    }

    public void createNamespace(String name) {
        ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", name);
        namespace.putObject("status").put("phase", "Active");
        store.create("namespaces", namespace);
    }

    /**
     * Creates or replaces an object, its status too, as if somebody else had.
     *
     * @param json the object; its namespace is created where it is missing
     * @throws IllegalArgumentException if it is no object of a kind that is served here
     */
    public void apply(String json) {
        apply(parse(json));
    }

    void apply(ObjectNode object) {
        KubeResource resource = KubeResource.ofKind(
                        object.path("apiVersion").asText(""),
                        object.path("kind").asText(""))
                .orElseThrow(() -> new IllegalArgumentException("not a kind that is served here: %s %s"
                        .formatted(object.path("apiVersion"), object.path("kind"))));
        ObjectNode stored = EventFaces.stored(resource, Defaults.filled(resource, object.deepCopy()));
        if (resource.namespaced()) {
            createNamespace(Json.namespace(object));
        }
        while (store.create(resource.storage(), stored) == null) {
            ObjectNode there = store.get(resource.storage(), Json.namespace(object), Json.name(object));
            if (there != null && store.replace(resource.storage(), there, stored) != null) {
                return;
            }
        }
    }

    private static ObjectNode parse(String json) {
        try {
            JsonNode node = Json.MAPPER.readTree(json);
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw new IllegalArgumentException("not a JSON object: " + json);
        } catch (IOException e) {
            throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
        }
    }

    /**
     * Deletes an object as if somebody else had; one that is not there stays not there.
     *
     * @param path as in requests, such as {@code /api/v1/namespaces/shop/services/web}
     */
    public void delete(String path) {
        KubePath.parse(path).ifPresent(parsed -> delete(parsed.resource(), parsed.namespace(), parsed.name()));
    }

    void delete(KubeResource resource, String namespace, String name) {
        store.delete(resource.storage(), namespace, name);
    }

    /** Cuts every connection and refuses new ones until {@link #startAgain}. */
    public synchronized void stop() {
        cutWatches();
        server.stop(0);
        threads.shutdownNow();
    }

    /** Listens again on the same port, with the same objects. */
    public synchronized void startAgain() {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        try {
            server = open(port);
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port + " was taken meanwhile", e);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
