package dev.poolkeeper.app.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.contract.ListenerPair;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.readiness.GatedPods;
import dev.poolkeeper.core.readiness.ReadinessGate;
import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.fake.FakePodConditions;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the readiness gate logs about Pods of no local Service, whose gates open once they have an IP address. */
class ReadinessLogTest {

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeCluster cluster = new FakeCluster();
    private final FakePodConditions conditions = new FakePodConditions(cluster);
    private final EndpointIndex view = new EndpointIndex(time);
    private final GatedPods pods = new GatedPods();
    private final Engine engine =
            Engine.builder(view, cloud, cloud, time).hasSynced(() -> true).build();
    private final ReadinessGate gate = new ReadinessGate(
            pods, view::addressesOf, engine, conditions, Duration.ofMinutes(10), time, namespace -> true);

    @RegisterExtension
    final Logged logged = new Logged(ReadinessGate.class, Level.DEBUG);

    @BeforeEach
    void lead() {
        cluster.listen(new ListenerPair(view, pods));
        engine.startLeading(Term.untilEnded());
        engine.step();
    }

    private PodState pod(String name, String... ips) {
        PodState pod = new PodState(
                new PodId("shop", name, "uid-" + name),
                Map.of(),
                true,
                false,
                Optional.of("n1"),
                List.of(ips),
                Optional.empty(),
                "1");
        cluster.put(pod);
        return pod;
    }

    private void look() {
        time.advance(Duration.ofSeconds(2));
        gate.look();
    }

    /** The log entries since the last call. */
    private List<String> log() {
        List<String> lines = logged.list.stream().map(ReadinessLogTest::line).toList();
        logged.list.clear();
        return lines;
    }

    private static String line(ILoggingEvent event) {
        return event.getLevel() + " " + event.getFormattedMessage()
                + event.getKeyValuePairs().stream()
                        .map(pair -> " " + pair.key + "=" + pair.value)
                        .collect(Collectors.joining());
    }

    @Test
    void a_gate_that_opens_is_news_and_one_that_stays_shut_is_not() {
        pod("open", "10.244.0.9");
        look();
        assertThat(log())
                .containsExactly("INFO Set the readiness gate's condition pod=shop/open ready=true"
                        + " reason=NoLocalService message=No Service with a local backend pool selects the Pod");

        pod("shut");
        look();
        look();
        assertThat(log())
                .containsExactly("DEBUG Set the readiness gate's condition pod=shop/shut ready=false"
                        + " reason=WaitingForPool message=The Pod has no IP address yet");
    }

    @Test
    void a_gate_that_opens_only_because_it_took_too_long_is_a_warning() {
        pod("shut");
        look();
        log();
        time.advance(Duration.ofMinutes(10));
        look();
        look();
        assertThat(log())
                .containsExactly("WARN Set the readiness gate's condition pod=shop/shut ready=true reason=TimedOut"
                        + " message=Not waiting any longer than 600 s (readinessGate.timeoutInSeconds)."
                        + " The Pod has no IP address yet");
    }

    @Test
    void a_namespace_that_refuses_is_a_warning_once_until_it_accepted_again() {
        conditions.answer(new PodConditions.Refused("HTTP 500"));
        pod("a", "10.244.0.9");
        pod("b", "10.244.0.9");
        for (int i = 0; i < 20; i++) {
            look();
        }
        String failed = " Setting the readiness gate's condition failed; retrying pod=shop/";
        List<String> refused = log();
        assertThat(refused).hasSizeGreaterThan(5).allMatch(line -> line.endsWith(" reason=HTTP 500"));
        assertThat(refused).first().asString().startsWith("WARN" + failed);
        assertThat(refused.subList(1, refused.size())).allMatch(line -> line.startsWith("DEBUG" + failed));

        conditions.answer(null);
        for (int i = 0; i < 20; i++) {
            look();
        }
        assertThat(log()).hasSize(2).allMatch(line -> line.startsWith("INFO Set"));

        conditions.answer(new PodConditions.Unanswered("no answer"));
        pod("c", "10.244.0.9");
        look();
        assertThat(log()).containsExactly("WARN" + failed + "c reason=no answer");
    }

    @Test
    void while_others_are_accepted_a_refused_pod_is_a_warning_once_and_another_is_one_of_its_own() {
        conditions.answers(id -> id.name().equals("ok") ? null : new PodConditions.Refused("HTTP 422"));
        pod("a", "10.244.0.9");
        while (conditions.requests().size() < 8) { // until it waits for half a minute
            look();
        }
        log();
        pod("ok", "10.244.0.9");
        look();
        pod("b", "10.244.0.9");
        look();
        String failed = " Setting the readiness gate's condition failed; retrying pod=shop/";
        assertThat(log())
                .hasSize(2)
                .satisfiesExactly(
                        ok -> assertThat(ok).startsWith("INFO Set"),
                        b -> assertThat(b).isEqualTo("WARN" + failed + "b reason=HTTP 422"));
        conditions.answers(id -> id.name().equals("b") ? null : new PodConditions.Refused("HTTP 422"));
        for (int i = 0; i < 20; i++) {
            look();
        }
        assertThat(log())
                .filteredOn(line -> line.contains(failed))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("DEBUG" + failed + "a "));
    }

    @Test
    void a_pod_that_changed_in_the_meantime_is_no_news() {
        conditions.answer(new PodConditions.Outdated("no such Pod"));
        pod("a", "10.244.0.9");
        look();
        assertThat(log())
                .containsExactly("DEBUG Pod changed in the meantime; checking it again later pod=shop/a"
                        + " reason=no such Pod");
    }
}
