package dev.poolkeeper.emulators.kube;

import dev.poolkeeper.emulators.http.LoopbackServer;
import dev.poolkeeper.emulators.tls.LoopbackTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KubeApi} on the loopback interface, with TLS and bearer tokens if enabled in {@link KubeSettings}.
 * Thread-safe.
 */
public final class KubeEmulator implements AutoCloseable {

    private final KubeSettings settings;
    private final @Nullable LoopbackTls tls;
    private final KubeApi api;
    private final int port;
    private LoopbackServer server;

    private KubeEmulator(KubeSettings settings) throws IOException {
        this.settings = settings;
        // clients check certificates against real time, regardless of the settings' time
        this.tls = settings.tls() ? LoopbackTls.create(Instant.now()) : null;
        this.api = new KubeApi(settings);
        this.server = LoopbackServer.open(settings.port(), tls);
        this.port = server.port();
        server.serve(api);
    }

    /** Starts an emulator on a free port, with {@link KubeSettings#DEFAULT}. */
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

    /** The API that it serves. */
    public KubeApi api() {
        return api;
    }

    /** Its URL, without a trailing slash. */
    public URI uri() {
        return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port);
    }

    /** The certificate of the CA to trust, as PEM; empty without TLS. */
    public Optional<String> certificateAuthority() {
        return Optional.ofNullable(tls).map(LoopbackTls::authorityPem);
    }

    /**
     * The text of a kubeconfig file for this emulator, valid while it runs. It has a context for each user in
     * {@link KubeSettings#tokens}, with the user's name; the first one is the current context.
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
            throw new IllegalArgumentException("no user has the name \"%s\", the users are %s"
                    .formatted(user, settings.tokens().values()));
        }
        return Kubeconfig.text(uri(), certificateAuthority().orElse(null), settings.tokens(), user);
    }

    /** See {@link KubeApi#faults}. */
    public KubeFaults faults() {
        return api.faults();
    }

    /** See {@link KubeApi#requests}. */
    public List<RecordedRequest> requests() {
        return api.requests();
    }

    /** See {@link KubeApi#openWatches}. */
    public long openWatches() {
        return api.openWatches();
    }

    /** See {@link KubeApi#bookmark}. */
    public void bookmark() {
        api.bookmark();
    }

    /** See {@link KubeApi#cutWatches}. */
    public void cutWatches() {
        api.cutWatches();
    }

    /** See {@link KubeApi#compact}. */
    public void compact() {
        api.compact();
    }

    public void createNamespace(String name) {
        api.createNamespace(name);
    }

    /** See {@link KubeApi#apply}. */
    public void apply(String json) {
        api.apply(json);
    }

    /** See {@link KubeApi#delete}. */
    public void delete(String path) {
        api.delete(path);
    }

    /** Cuts every connection and refuses new ones until {@link #startAgain}. */
    public synchronized void stop() {
        cutWatches();
        server.close();
    }

    /** Listens again on the same port, with the same objects. */
    public synchronized void startAgain() {
        try {
            server = LoopbackServer.open(port, tls);
            server.serve(api);
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port + " was taken in the meantime", e);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
