package dev.poolkeeper.emulators.arm;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.poolkeeper.emulators.tls.LoopbackTls;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultScript;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

/**
 * Azure Resource Manager for load balancers and their backend pools, in this process, over HTTPS on loopback.
 *
 * <pre>{@code
 * try (ArmEmulator arm = ArmEmulator.start(Inventory.read(file))) {
 *     HttpClient client = HttpClient.newBuilder().sslContext(arm.sslContext()).build();
 *     ...  arm.baseUri() + "/subscriptions/" + arm.subscription() + ...
 *     assertThat(arm.requests()).noneMatch(request -> request.isWrite() && request.header("if-match") == null);
 * }
 * }</pre>
 *
 * <p>It stands on the memory of a {@link FakeCloud}: what is written here is seen there and the other way round, and
 * the cloud's faults answer here too. Thread-safe.
 */
public final class ArmEmulator implements AutoCloseable {

    private final FakeCloud cloud;
    private final ArmService service;
    private final RequestLog log;
    private final LoopbackTls tls;
    private final HttpsServer server;
    private final ExecutorService threads;
    private final URI baseUri;
    private ArmSettings settings;

    private ArmEmulator(FakeCloud cloud, ArmSettings settings, HttpsServer server, LoopbackTls tls) {
        this.cloud = cloud;
        this.settings = settings;
        this.server = server;
        this.tls = tls;
        this.service = new ArmService(cloud, settings);
        this.log = new RequestLog();
        this.threads = Executors.newVirtualThreadPerTaskExecutor();
        this.baseUri = URI.create("https://localhost:" + server.getAddress().getPort());
        server.setHttpsConfigurator(new HttpsConfigurator(tls.server()));
        server.setExecutor(threads);
        server.createContext(
                "/", new HttpFront(service, log, cloud.clock(), System::nanoTime, Thread::sleep, baseUri.toString()));
    }

    /** With these load balancers, without faults, on the system's clock, with default settings. */
    public static ArmEmulator start(Inventory inventory) throws IOException {
        return start(inventory, Faults.NONE, ArmSettings.DEFAULT);
    }

    /** With these load balancers and faults, on the system's clock. */
    public static ArmEmulator start(Inventory inventory, Faults faults, ArmSettings settings) throws IOException {
        return start(new FakeCloud(InstantSource.system(), inventory, faults, call -> {}), settings);
    }

    /**
     * On the memory, the faults and the clock of this cloud.
     *
     * @throws IOException if the port cannot be listened on
     */
    public static ArmEmulator start(FakeCloud cloud, ArmSettings settings) throws IOException {
        // certificates are for clients that look at the real time, whatever the cloud's clock shows
        LoopbackTls tls = LoopbackTls.create(Instant.now());
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port), 0);
        ArmEmulator emulator = new ArmEmulator(cloud, settings, server, tls);
        server.start();
        return emulator;
    }

    /** The address that replaces {@code https://management.azure.com} and {@code https://login.microsoftonline.com}. */
    public URI baseUri() {
        return baseUri;
    }

    /** The certificate of the authority that a client must trust, as PEM. */
    public String caCertificatePem() {
        return tls.authorityPem();
    }

    /** Writes {@link #caCertificatePem} to a file. */
    public Path writeCaCertificate(Path file) throws IOException {
        return Files.writeString(file, caCertificatePem());
    }

    /** For clients in this process: trusts this emulator and nobody else. */
    public SSLContext sslContext() {
        return tls.client();
    }

    public String subscription() {
        return service.state().home.subscription();
    }

    public String resourceGroup() {
        return service.state().home.resourceGroup();
    }

    /** The cloud it stands on. */
    public FakeCloud cloud() {
        return cloud;
    }

    /** The cloud's faults; rules may be added and cleared at any time. */
    public FaultScript faults() {
        return cloud.faults();
    }

    /** The requests answered so far, oldest first, as many as the settings let it remember. */
    public List<ArmRequest> requests() {
        return log.all();
    }

    public void clearRequests() {
        log.clear();
    }

    /** The long-running operations so far, oldest first; the latest 20,000. */
    public List<ArmOperation> operations() {
        return service.operations();
    }

    /** Behaves otherwise from now on. Port, subscription and resource group stay. */
    public synchronized void change(UnaryOperator<ArmSettings> change) {
        settings = change.apply(settings);
        service.use(settings);
    }

    /** Stops at once; requests that are being answered lose their connection. Again does nothing. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
