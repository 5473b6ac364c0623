package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two daemons as separate processes, with one API server and one ARM, each over its own connections that can be cut.
 * After every fault: no replica wrote that did not lead or did not hold the resource lock, and the pools converge.
 *
 * <p>The {@code Host} of a request identifies its sender: it has the port of the daemon's own connection to ARM.
 */
class TwoDaemonsTest {

    private static final String LEADER = "poolkeeper-leader";
    private static final String LOCK = "aks-managed-resource-locker";
    private static final Duration OPERATION = Duration.ofMillis(300);
    private static final Duration LONG_OPERATION = Duration.ofSeconds(3);

    /** Short intervals, so that a replica that could write wrongly does. */
    private static final String KEYS = """
        directoryRefreshIntervalInSeconds: 1
        resyncIntervalInSeconds: 1
        operationPollIntervalInSeconds: 1
        retry:
          attempts: 0
        leaderElection:
          leaseDurationInSeconds: 4
          renewDeadlineInSeconds: 3
          retryPeriodInSeconds: 1
        """;

    @TempDir
    private static Path folder;

    private static TestWorld world;
    private static LeaseHistory leaders;
    private static LeaseHistory locks;
    private static final List<Replica> replicas = new ArrayList<>();
    private static final Map<String, String> identities = new ConcurrentHashMap<>();
    private static final Map<String, int[]> wanted = new ConcurrentHashMap<>();

    /** A daemon and its connections. */
    private static final class Replica implements AutoCloseable {
        final TcpProxy toKube;
        final TcpProxy toArm;
        final DaemonProcess daemon;
        final String identity;

        Replica(String name) throws IOException, InterruptedException {
            toKube = new TcpProxy(world.kube.uri().getPort());
            toArm = new TcpProxy(world.arm.baseUri().getPort());
            Path file = world.configuration(
                    name,
                    URI.create("https://localhost:" + toArm.port()),
                    URI.create("http://127.0.0.1:" + toKube.port()),
                    KEYS);
            daemon = DaemonProcess.start(folder, name, "--config", file.toString());
            identity = daemon.identity();
            identities.put("localhost:" + toArm.port(), identity);
        }

        boolean leads() {
            return leaders.holder().equals(identity);
        }

        boolean isBehind(AnsweredRequest request) {
            return ("localhost:" + toArm.port()).equals(request.header("host"));
        }

        @Override
        public void close() throws IOException {
            daemon.close();
            toKube.close();
            toArm.close();
        }
    }

    @BeforeAll
    static void start() throws Exception {
        world = new TestWorld(folder, ArmSettings.DEFAULT.withOperationDuration(OPERATION));
        for (String service : List.of("killed", "paused", "late", "cut-kube", "cut-arm", "cut-both")) {
            world.service(service, 1);
            wanted.put(service, new int[] {1});
        }
        leaders = LeaseHistory.follow(world.kube, LEADER);
        locks = LeaseHistory.follow(world.kube, LOCK);
    }

    @AfterAll
    static void stop() throws IOException {
        for (Replica replica : replicas) {
            replica.close();
        }
        world.close();
    }

    /** Given two healthy replicas, one of which leads. */
    @BeforeEach
    void replicas() throws Exception {
        replicas.removeIf(replica -> !replica.daemon.isAlive());
        while (replicas.size() < 2) {
            replicas.add(new Replica("replica-" + (identities.size() + 1)));
        }
        replicas.forEach(replica -> replica.daemon.awaitReady());
        Await.until(
                "one leads", TwoDaemonsTest::diagnosis, () -> replicas.stream().anyMatch(Replica::leads));
        wanted.forEach(TwoDaemonsTest::awaitPool);
        Await.until(
                "nothing waits, and so nothing is about to be written",
                TwoDaemonsTest::diagnosis,
                () -> leader().daemon
                                        .pages()
                                        .status()
                                        .at("/engine/work/operations")
                                        .asLong(-1)
                                == 0
                        && locks.holder().isEmpty());
        world.arm.clearRequests();
    }

    @AfterEach
    void calm() {
        world.arm.change(settings -> settings.withOperationDuration(OPERATION));
    }

    private static void endpoints(String service, int... nodes) {
        wanted.put(service, nodes);
        world.endpoints(service, nodes);
    }

    private static Replica leader() {
        return replicas.stream().filter(Replica::leads).findFirst().orElseThrow();
    }

    private static Replica standby() {
        return replicas.stream().filter(replica -> !replica.leads()).findFirst().orElseThrow();
    }

    private static void awaitLeader(Replica expected) {
        Await.until(expected.daemon + " leads", TwoDaemonsTest::diagnosis, expected::leads);
    }

    /** A healthy leader has brought the pool in step with the cluster. */
    private static void awaitPool(String service, int... nodes) {
        Await.until(
                "the pool of " + service + " is right",
                () -> "it holds " + world.addresses(service) + "\n" + diagnosis(),
                () -> world.isInPool(service, nodes));
    }

    /** Replaces its expiry, which takes at least a minute. */
    private static void letLockExpire() {
        world.kube.delete("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/" + LOCK);
    }

    private static String diagnosis() {
        StringBuilder text = new StringBuilder();
        text.append(leaders).append('\n').append(locks).append('\n');
        for (AnsweredRequest write : world.writes()) {
            text.append(write).append('\n');
        }
        for (Replica replica : replicas) {
            text.append(replica.daemon.name)
                    .append(": ")
                    .append(replica.identity)
                    .append('\n');
            text.append(replica.daemon.log()).append('\n');
        }
        return text.toString();
    }

    private static boolean isDone(AnsweredRequest write) {
        return write.status() >= 200 && write.status() < 300;
    }

    /** Every write was the leader's, while it held the resource lock. */
    private static void assertThatOnlyLeadersWrote() {
        Await.until( // a pool changes before its write is answered
                "a write was answered",
                TwoDaemonsTest::diagnosis,
                () -> world.writes().stream().anyMatch(TwoDaemonsTest::isDone));
        List<AnsweredRequest> done =
                world.writes().stream().filter(TwoDaemonsTest::isDone).toList();
        assertThat(done).as("writes that were done\n%s", diagnosis()).allSatisfy(write -> {
            String writer = identities.get(write.header("host"));
            assertThat(leaders.holderAt(write.at())).as("leader").isEqualTo(writer);
            assertThat(locks.holderAt(write.at()))
                    .as("holder of the resource lock")
                    .isEqualTo(writer);
        });
    }

    private static long writes(String service, Replica by) {
        return world.writes().stream()
                .filter(write -> ("shop-" + service).equals(write.pool()) && by.isBehind(write))
                .count();
    }

    @Test
    @Rule(
            id = "C42",
            says = "When the leader is killed in the middle of a write, the other replica leads once the Lease has"
                    + " expired, writes nothing while the dead leader's resource lock lasts, and then corrects the"
                    + " pools.",
            source = "ours")
    void the_leader_is_killed_in_the_middle_of_a_write() throws Exception {
        Replica first = leader();
        Replica second = standby();
        world.arm.change(settings -> settings.withOperationDuration(LONG_OPERATION));
        endpoints("killed", 2, 3);
        Await.until("a write is in progress", TwoDaemonsTest::diagnosis, () -> writes("killed", first) == 1);

        first.daemon.kill();
        endpoints("killed", 3, 4);
        awaitLeader(second);
        Await.until(
                "the new leader found the lock taken",
                TwoDaemonsTest::diagnosis,
                () -> pool("killed", second).at("/difference/reason").asText().equals("LOCK_HELD"));
        assertThat(writes("killed", second)).isZero();
        letLockExpire();

        awaitPool("killed", 3, 4);
        assertThatOnlyLeadersWrote();
    }

    @Test
    @Rule(
            id = "C43",
            says = "A leader that was paused beyond its Lease in the middle of a write starts no other write when it"
                    + " resumes, and releases the resource lock.",
            source = "ours")
    void the_leader_is_paused_beyond_its_lease() throws Exception {
        Replica first = leader();
        Replica second = standby();
        world.arm.change(settings -> settings.withOperationDuration(LONG_OPERATION));
        endpoints("paused", 2);
        Await.until("a write is in progress", TwoDaemonsTest::diagnosis, () -> writes("paused", first) == 1);

        first.daemon.pause();
        endpoints("paused", 2, 5);
        awaitLeader(second);
        first.daemon.goOn();

        awaitPool("paused", 2, 5);
        assertThat(writes("paused", first)).isEqualTo(1);
        assertThatOnlyLeadersWrote();
    }

    @Test
    @Rule(
            id = "C44",
            says = "A write that a former leader sent, and that arrives after another one's write, is refused by its"
                    + " ETag.",
            source = "ours")
    void a_write_that_arrives_too_late_is_refused() throws Exception {
        Replica first = leader();
        Replica second = standby();
        jamAfterReadOf("late", first);
        endpoints("late", 2, 3);
        Await.until("a write is on its way", TwoDaemonsTest::diagnosis, () -> isWriting("late", first));
        world.arm.change(settings -> settings.withOnRequest(request -> {}));

        first.toKube.cut();
        endpoints("late", 4);
        awaitLeader(second);
        letLockExpire();
        awaitPool("late", 4);
        first.toArm.open();
        Await.until("the late write arrives", TwoDaemonsTest::diagnosis, () -> writes("late", first) > 0);
        first.toKube.open();
        first.daemon.awaitReady();

        assertThat(world.writes().stream()
                        .filter(first::isBehind)
                        .map(AnsweredRequest::status)
                        .distinct())
                .containsExactly(412);
        awaitPool("late", 4);
        assertThatOnlyLeadersWrote();
    }

    /** The response to the read still passes; the following write and everything else sent do not. */
    private static void jamAfterReadOf(String service, Replica replica) {
        world.arm.change(settings -> settings.withOnRequest(request -> {
            if (request.method().equals("GET")
                    && ("shop-" + service).equals(request.pool())
                    && replica.isBehind(request)) {
                replica.toArm.jamOut();
            }
        }));
    }

    private static boolean isWriting(String service, Replica replica) throws Exception {
        return pool(service, replica).at("/known/writing").asBoolean();
    }

    /** What this replica reports of the pool now; its log has lines of earlier tests. */
    private static JsonNode pool(String service, Replica replica) throws Exception {
        return replica.daemon
                .status()
                .path("pools")
                .valueStream()
                .filter(pool -> pool.path("pool").asText().equals("shop-" + service))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    @Test
    @Rule(
            id = "C45",
            says = "A leader that loses its connection to the API server stops writing before another replica leads;"
                    + " its outdated view of the cluster reaches no pool.",
            source = "ours")
    void the_leader_is_cut_off_from_the_api_server() throws Exception {
        Replica first = leader();
        Replica second = standby();

        first.toKube.jam();
        awaitLeader(second);
        letLockExpire(); // the first one may have been cut off before it could release it
        endpoints("cut-kube", 2, 3);
        awaitPool("cut-kube", 2, 3);
        world.arm.clearRequests();
        world.arm.cloud().putPool(TestWorld.pool("cut-kube"), TestWorld.addresses(6)); // both see it
        awaitPool("cut-kube", 2, 3);
        Await.until(
                "the deposed one looked",
                TwoDaemonsTest::diagnosis,
                () -> world.arm.requests().stream().anyMatch(first::isBehind));
        assertThat(world.writes()).noneMatch(first::isBehind);

        first.toKube.open();
        first.daemon.awaitReady();
        endpoints("cut-kube", 4);
        awaitPool("cut-kube", 4);
        assertThatOnlyLeadersWrote();
    }

    @Test
    @Rule(
            id = "C46",
            says = "A leader that cannot reach ARM keeps leading, and corrects the pools when ARM is reachable again;"
                    + " the standby writes nothing in the meantime.",
            source = "ours")
    void the_leader_is_cut_off_from_arm() throws Exception {
        Replica first = leader();
        Replica second = standby();

        first.toArm.cut();
        endpoints("cut-arm", 2, 3);
        Await.until(
                "the leader says that ARM is away",
                TwoDaemonsTest::diagnosis,
                () -> first.daemon.status().at("/engine/listing/failure").isTextual());
        assertThat(first.leads()).isTrue();
        assertThat(world.writes()).noneMatch(second::isBehind);
        first.toArm.open();

        awaitPool("cut-arm", 2, 3);
        assertThatOnlyLeadersWrote();
    }

    @Test
    @Rule(
            id = "C47",
            says = "When the leader reaches neither the API server nor ARM, the other replica takes over; once the"
                    + " connection is restored, both replicas are healthy.",
            source = "ours")
    void the_leader_is_cut_off_from_both() throws Exception {
        Replica first = leader();
        Replica second = standby();

        first.toKube.cut();
        first.toArm.cut();
        endpoints("cut-both", 2, 3);
        awaitLeader(second);
        awaitPool("cut-both", 2, 3);
        first.toKube.open();
        first.toArm.open();
        first.daemon.awaitReady();
        Await.until(
                "the former leader stands by",
                TwoDaemonsTest::diagnosis,
                () -> !first.daemon.pages().isLeading());

        endpoints("cut-both", 1);
        awaitPool("cut-both", 1);
        assertThatOnlyLeadersWrote();
    }
}
