package dev.poolkeeper.lab.replay;

import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.WriteQuota;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The real Azure SDK, with a real credential, over TLS against the ARM emulator in this process. Throttling, faults and
 * the log use the replay's virtual clock; long-running operations, polls and waits inside a call take real time, kept
 * short.
 */
public final class EmulatedArm implements ReplayCloud {

    private static final Duration OPERATION = Duration.ofMillis(5);
    private static final PollSettings POLLS =
            new PollSettings(Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofSeconds(30));
    private static final String VNET = "aks-vnet";
    private static final String TENANT = "00000000-0000-0000-0000-0000000000aa";
    private static final String CLIENT = "00000000-0000-0000-0000-0000000000bb";

    private final ArmEmulator emulator;
    private final AzurePools pools;
    private final SystemTime time;

    private EmulatedArm(ArmEmulator emulator, AzurePools pools, SystemTime time) {
        this.emulator = emulator;
        this.pools = pools;
        this.time = time;
    }

    /** The replay's wall clock; all other time is real. */
    private record WallClock(InstantSource clock, Time real) implements Time {
        @Override
        public Instant instant() {
            return clock.instant();
        }

        @Override
        public long nanoTime() {
            return real.nanoTime();
        }

        @Override
        public double draw() {
            return real.draw();
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return real.schedule(delay, task);
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            real.sleep(duration);
        }

        /** Virtual time never jumps. */
        @Override
        public InstantSource steady() {
            return clock;
        }
    }

    /**
     * @param cloud the state that the emulator serves
     * @param clock the virtual time
     * @param retries the retries inside a call
     * @param nodeNames names new entries by their addresses
     * @throws IOException if no loopback port is available
     */
    public static EmulatedArm over(
            FakeCloud cloud, InstantSource clock, CallRetries retries, Function<IpAddress, Optional<String>> nodeNames)
            throws IOException {
        ArmEmulator emulator = ArmEmulator.start(
                cloud, ArmSettings.DEFAULT.withOperationDuration(OPERATION).withOperationClock(InstantSource.system()));
        SystemTime time = new SystemTime();
        try {
            return new EmulatedArm(emulator, pools(emulator, new WallClock(clock, time), retries, nodeNames), time);
        } catch (IOException | RuntimeException e) {
            emulator.close();
            time.close();
            throw e;
        }
    }

    private static AzurePools pools(
            ArmEmulator emulator, Time time, CallRetries retries, Function<IpAddress, Optional<String>> nodeNames)
            throws IOException {
        HttpClient http = trusting(emulator);
        AzureCloud azure = AzureCloud.at(emulator.baseUri(), emulator.baseUri());
        AzureScope scope =
                AzureScope.of(emulator.subscription(), emulator.resourceGroup()).withVnet(VNET);
        return AzurePools.builder(
                        AzureSettings.of(azure, scope).withPolls(POLLS),
                        AzureCredentials.of(
                                AzureIdentitySettings.ofSecret(TENANT, CLIENT, "no secret to anybody"), azure, http),
                        http,
                        time)
                .retries(retries)
                .nodeNames(nodeNames)
                .build();
    }

    private static HttpClient trusting(ArmEmulator emulator) throws IOException {
        Path file = Files.createTempFile("poolkeeper-emulator-ca-", ".pem");
        try {
            emulator.writeCaCertificate(file);
            return ArmHttp.clientTrusting(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    @Override
    public BackendPools pools() {
        return pools;
    }

    @Override
    public PoolDirectory directory() {
        return pools;
    }

    @Override
    public WriteQuota quota() {
        return pools.quota();
    }

    @Override
    public List<Call> calls() {
        return emulator.requests().stream()
                .filter(EmulatedArm::isOnPool)
                .map(request -> new Call(
                        request.at(),
                        request.method(),
                        PoolKey.of(String.valueOf(request.loadBalancer()), String.valueOf(request.pool())),
                        request.status() / 100 == 2 ? 200 : request.status()))
                .toList();
    }

    /** Whether it is a read or write of a pool, not a poll of an operation. */
    private static boolean isOnPool(AnsweredRequest request) {
        return request.loadBalancer() != null
                && request.pool() != null
                && (request.isWrite() || request.operation() == null);
    }

    @Override
    public List<String> remarks() {
        List<AnsweredRequest> requests = emulator.requests();
        long writes = requests.stream().filter(AnsweredRequest::isWrite).count();
        long conditional = requests.stream()
                .filter(request -> request.isWrite() && request.header("if-match") != null)
                .count();
        long polls = requests.stream()
                .filter(request -> !request.isWrite() && request.operation() != null)
                .count();
        return List.of("ARM saw  %s requests over TLS: %s writes, %s of them with If-Match; %s polls of operations"
                .formatted(requests.size(), writes, conditional, polls));
    }

    /** The emulator, for detailed checks in tests. */
    ArmEmulator emulator() {
        return emulator;
    }

    @Override
    public void close() {
        emulator.close();
        time.close();
    }
}
