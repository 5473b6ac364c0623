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
 * <p>It is backed by a {@link FakeCloud}: writes to one are visible in the other, and the cloud's faults apply here
 * too. Thread-safe.
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

    /** Starts an emulator with these load balancers, no faults, the system clock and default settings. */
    public static ArmEmulator start(Inventory inventory) throws IOException {
        return start(inventory, Faults.NONE, ArmSettings.DEFAULT);
    }

    /** Starts an emulator with these load balancers and faults and the system clock. */
    public static ArmEmulator start(Inventory inventory, Faults faults, ArmSettings settings) throws IOException {
        return start(new FakeCloud(InstantSource.system(), inventory, faults, call -> {}), settings);
    }

    /**
     * Starts an emulator backed by this cloud, with its faults and clock.
     *
     * @throws IOException if the port is not available
     */
    public static ArmEmulator start(FakeCloud cloud, ArmSettings settings) throws IOException {
        // clients check certificates against real time, regardless of the cloud's clock
        LoopbackTls tls = LoopbackTls.create(Instant.now());
        LoopbackServer server = LoopbackServer.open(settings.port, tls);
        SystemTime time = new SystemTime();
        URI baseUri = URI.create("https://localhost:" + server.port());
        ArmApi api = new ArmApi(cloud, settings, time, baseUri);
        server.serve(api);
        return new ArmEmulator(api, tls, server, time, baseUri);
    }

    /** The API that it serves. */
    public ArmApi api() {
        return api;
    }

    /** The address that replaces {@code https://management.azure.com} and {@code https://login.microsoftonline.com}. */
    public URI baseUri() {
        return baseUri;
    }

    /** The certificate of the CA that a client must trust, as PEM. */
    public String caCertificatePem() {
        return tls.authorityPem();
    }

    /** Writes {@link #caCertificatePem} to a file. */
    public Path writeCaCertificate(Path file) throws IOException {
        return Files.writeString(file, caCertificatePem());
    }

    /** For clients in this process: trusts only this emulator. */
    public SSLContext sslContext() {
        return tls.client();
    }

    public String subscription() {
        return api.subscription();
    }

    public String resourceGroup() {
        return api.resourceGroup();
    }

    /** The cloud that backs it. */
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

    /** Changes the settings. Port, subscription and resource group stay the same. */
    public void change(UnaryOperator<ArmSettings> change) {
        api.change(change);
    }

    /** Stops immediately; requests in progress lose their connection. Further calls have no effect. */
    @Override
    public void close() {
        server.close();
        time.close();
    }
}
