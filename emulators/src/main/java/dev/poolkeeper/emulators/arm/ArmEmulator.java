package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.emulators.http.LoopbackServer;
import dev.poolkeeper.emulators.tls.LoopbackTls;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultScript;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.ports.SystemTime;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
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

    private final ArmApi api;
    private final LoopbackTls tls;
    private final LoopbackServer server;
    private final SystemTime time;
    private final URI baseUri;

    private ArmEmulator(ArmApi api, LoopbackTls tls, LoopbackServer server, SystemTime time, URI baseUri) {
        this.api = api;
        this.tls = tls;
        this.server = server;
        this.time = time;
        this.baseUri = baseUri;
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
        LoopbackServer server = LoopbackServer.open(settings.port, tls);
        SystemTime time = new SystemTime();
        URI baseUri = URI.create("https://localhost:" + server.port());
        ArmApi api = new ArmApi(cloud, settings, time, baseUri);
        server.serve(api);
        return new ArmEmulator(api, tls, server, time, baseUri);
    }

    /** What it serves. */
    public ArmApi api() {
        return api;
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

    /** For clients in this process: trusts this emulator alone. */
    public SSLContext sslContext() {
        return tls.client();
    }

    public String subscription() {
        return api.subscription();
    }

    public String resourceGroup() {
        return api.resourceGroup();
    }

    /** The cloud it stands on. */
    public FakeCloud cloud() {
        return api.cloud();
    }

    /** The cloud's faults; rules may be added and cleared at any time. */
    public FaultScript faults() {
        return cloud().faults();
    }

    /** See {@link ArmApi#requests}. */
    public List<AnsweredRequest> requests() {
        return api.requests();
    }

    public void clearRequests() {
        api.clearRequests();
    }

    /** See {@link ArmApi#operations}. */
    public List<ArmOperation> operations() {
        return api.operations();
    }

    /** Behaves otherwise from now on. Port, subscription and resource group stay. */
    public void change(UnaryOperator<ArmSettings> change) {
        api.change(change);
    }

    /** Stops at once; requests that are being answered lose their connection. Again does nothing. */
    @Override
    public void close() {
        server.close();
        time.close();
    }
}
