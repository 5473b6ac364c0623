package dev.poolkeeper.simulation.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.util.Modules;
import dev.poolkeeper.emulators.arm.ArmApi;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.kube.KubeApi;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.MachineClock;
import dev.poolkeeper.simulation.time.ServerTime;
import dev.poolkeeper.simulation.time.Timeline;
import dev.poolkeeper.simulation.time.VirtualProcess;
import dev.poolkeeper.simulation.time.VirtualTime;
import dev.poolkeeper.simulation.wire.Conditions;
import dev.poolkeeper.simulation.wire.Tap;
import dev.poolkeeper.simulation.wire.Wire;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two daemons as they ship, on virtual time, over the emulators. */
class TwoShippedDaemonsTest {

    private InPlace inPlace;

    @BeforeEach
    void openInPlace() {
        inPlace = InPlace.open();
    }

    @AfterEach
    void closeInPlace() {
        inPlace.close();
    }

    private static final PoolKey WEB = PoolKey.of("lb-1", "shop-web");

    /** A run of ten minutes: the leader is killed after five, the other one is stopped after eight. */
    private static final class Run {

        final Timeline timeline = new Timeline();
        final Chance chance = new Chance(42);
        final ServerTime time = new ServerTime(timeline, chance.forked(1));
        final List<String> log = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();
        final FakeCloud cloud = new FakeCloud(time);
        final ArmApi arm;
        final KubeApi kube =
                new KubeApi(KubeSettings.DEFAULT.withTime(time).withBookmarkInterval(Duration.ofSeconds(20)));

        Run() {
            cloud.putPool(WEB, AddressSet.of("10.9.9.9"));
            arm = new ArmApi(
                    cloud,
                    ArmSettings.DEFAULT
                            .withSubscription(DaemonConfiguration.SUBSCRIPTION)
                            .withResourceGroup(DaemonConfiguration.RESOURCE_GROUP)
                            .withOperationDuration(Duration.ofSeconds(2)),
                    time,
                    URI.create("https://management.azure.com"));
            kube.apply("""
                {"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"shop"},
                 "spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local","ipFamilies":["IPv4"]}}\
                """);
            for (int i = 1; i <= 3; i++) {
                kube.apply("""
                    {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%1$d"},
                     "status":{"addresses":[{"type":"InternalIP","address":"10.0.0.%1$d"}]}}\
                    """.formatted(i));
            }
            endpoints(1, 2);
        }

        void endpoints(int... nodes) {
            kube.apply("""
                {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
                 "metadata":{"name":"web-1","namespace":"shop","labels":{"kubernetes.io/service-name":"web"}},
                 "endpoints":[%s]}\
                """.formatted(Arrays.stream(nodes)
                    .mapToObj("{\"addresses\":[\"10.244.0.1\"],\"nodeName\":\"node-%d\"}"::formatted)
                    .collect(Collectors.joining(","))));
        }

        AddressSet held() {
            return cloud.addresses(WEB).orElseThrow();
        }

        ShippedDaemon daemon(int number) {
            VirtualProcess process = new VirtualProcess(timeline, failures::add);
            MachineClock clock = new MachineClock(timeline, 1, number * 1_000_000_007L, Duration.ofSeconds(number));
            Chance draws = chance.forked(10 + number);
            Conditions conditions = new Conditions() {
                @Override
                public boolean isCut() {
                    return false;
                }

                @Override
                public long requestNanos(HttpCall call) {
                    return draws.between(1, 20) * Timeline.MILLIS;
                }

                @Override
                public long answerNanos(HttpCall call, AnswerPart part) {
                    return draws.between(1, 20) * Timeline.MILLIS;
                }
            };
            Tap tap = new Tap() {
                @Override
                public void sent(HttpCall call) {
                    log.add("%d daemon-%d sends %s".formatted(timeline.now(), number, call));
                }

                @Override
                public void received(HttpCall call, AnswerPart part) {
                    log.add("%d daemon-%d gets a %s of %s"
                            .formatted(timeline.now(), number, part.getClass().getSimpleName(), call));
                }
            };
            ShippedDaemon daemon = new ShippedDaemon(
                    DaemonConfiguration.DEFAULT,
                    new ConfigurationFile(DaemonConfiguration.DEFAULT.text(), false),
                    process,
                    "daemon-" + number,
                    new VirtualTime(process, clock, draws.forked(1)),
                    new Wire(process, arm, conditions, tap),
                    new Wire(process, kube, conditions, tap),
                    new Wire(process, kube, conditions, tap),
                    Modules.EMPTY_MODULE);
            daemon.start();
            return daemon;
        }

        void until(long seconds) {
            timeline.run(seconds * Timeline.SECONDS, () -> false);
        }
    }

    @Test
    void the_standby_takes_over_when_the_leader_is_killed_and_stops_cleanly() {
        // given
        Run run = new Run();
        ShippedDaemon one = run.daemon(1);
        run.until(5);
        ShippedDaemon other = run.daemon(2);
        run.until(60);
        assertThat(run.failures).isEmpty();
        assertThat(one.isLeader()).isTrue();
        assertThat(run.held()).isEqualTo(AddressSet.of("10.0.0.1", "10.0.0.2"));
        // when
        run.until(300);
        one.process().kill();
        run.endpoints(2, 3);
        run.until(330);
        // then
        assertThat(one.isLeader()).isFalse();
        assertThat(other.isLeader()).isTrue();
        run.until(420);
        assertThat(run.held()).isEqualTo(AddressSet.of("10.0.0.2", "10.0.0.3"));
        // when
        List<Long> stopped = new ArrayList<>();
        run.until(480);
        other.stop(() -> stopped.add(run.timeline.now()));
        run.until(600);
        // then
        assertThat(stopped).singleElement().satisfies(at -> assertThat(at).isLessThan(481 * Timeline.SECONDS));
        assertThat(run.failures).isEmpty();
        assertThat(run.kube.openWatches()).isZero();
    }

    private static List<String> log() {
        Run run = new Run();
        ShippedDaemon one = run.daemon(1);
        run.daemon(2);
        run.until(120);
        one.process().kill();
        run.endpoints(3);
        run.until(240);
        return run.log;
    }

    @Test
    void a_seed_repeats_a_run_exactly() {
        log(); // classes are loaded then
        assertThat(log()).hasSizeGreaterThan(200).isEqualTo(log());
    }

    @Test
    void no_thread_of_the_platform_appears() {
        // given
        log();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        // when
        log();
        // then
        assertThat(Thread.getAllStackTraces().keySet()).isSubsetOf(before);
    }
}
