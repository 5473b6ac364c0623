package dev.poolkeeper.core.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.ListenerPair;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.ForwardingTime;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.fake.FakeCluster;
import dev.poolkeeper.fake.FakePodConditions;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodConditions.Refused;
import dev.poolkeeper.ports.PodConditions.Unanswered;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.Term;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods whose condition the API server does not accept. All Pods belong to no local Service, so their gates open. */
class ReadinessGateRefusalsTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final PodConditions.Result REFUSED = new Refused("HTTP 500");
    private static final PodConditions.Result UNANSWERED = new Unanswered("connection refused");

    private final FakeTime time = new FakeTime();
    private final FakeCloud cloud = new FakeCloud(time);
    private final FakeCluster cluster = new FakeCluster();
    private final FakePodConditions conditions = new FakePodConditions(cluster);
    private final EndpointIndex view = new EndpointIndex(time);
    private final GatedPods pods = new GatedPods();
    private final Engine engine = Engine.builder(view, cloud, cloud, time)
            .hasSynced(() -> true)
            .settings(EngineSettings.DEFAULT.withPace(Pace.TICK))
            .build();
    private Predicate<String> synced = namespace -> true;
    private boolean interrupted;
    private final ReadinessGate gate = gate(conditions);

    private ReadinessGate gate(PodConditions itsConditions) {
        return new ReadinessGate(
                pods,
                view::addressesOf,
                engine,
                itsConditions,
                TIMEOUT,
                new PassingTime(),
                namespace -> synced.test(namespace));
    }

    /** Waiting for an answer lets time pass. */
    private final class PassingTime extends ForwardingTime {
        PassingTime() {
            super(time);
        }

        @Override
        public <T> T await(CompletableFuture<T> future, Duration limit)
                throws TimeoutException, ExecutionException, InterruptedException {
            if (interrupted) {
                interrupted = false;
                throw new InterruptedException();
            }
            Instant end = time.instant().plus(limit);
            while (!future.isDone() && time.instant().isBefore(end)) {
                time.advance(Duration.ofMillis(10));
            }
            if (!future.isDone()) {
                throw new TimeoutException();
            }
            return future.get();
        }
    }

    @BeforeEach
    void lead() {
        cluster.listen(new ListenerPair(view, pods));
        engine.startLeading(Term.untilEnded());
        engine.step();
    }

    private PodState pod(String namespace, String name) {
        return pod(namespace, name, List.of("10.244.0.9"));
    }

    private PodState pod(String namespace, String name, List<String> ips) {
        PodState pod = new PodState(
                new PodId(namespace, name, "uid-" + namespace + "-" + name),
                Map.of(),
                true,
                false,
                Optional.of("n1"),
                ips,
                Optional.empty(),
                "1");
        cluster.put(pod);
        return pod;
    }

    private void pods(String namespace, int count) {
        IntStream.range(0, count).forEach(i -> pod(namespace, "web-" + i));
    }

    private void lookFor(int seconds) {
        for (int i = 0; i < seconds; i++) {
            time.advance(Duration.ofSeconds(1));
            gate.look();
        }
    }

    private long ready(String namespace) {
        return conditions.writes().stream()
                .filter(write -> write.pod().namespace().equals(namespace))
                .filter(write -> write.condition().met())
                .count();
    }

    private Optional<ReadinessCondition> condition(PodState pod) {
        return cluster.pod(pod.id()).flatMap(PodState::condition);
    }

    private static boolean isOneOf(PodId pod, int count) {
        return Integer.parseInt(pod.name().substring("web-".length())) < count;
    }

    @ParameterizedTest
    @CsvSource({"1,1", "8,4", "30,60"})
    @Rule(
            id = "Y14",
            says = "A Pod whose readiness condition the API server refuses is tried again with back-off and delays no"
                    + " Pod of another namespace; Pods of its own go first while their requests succeed.",
            source = "ours")
    void refused_pods_do_not_keep_others_waiting(int refused, int seconds) {
        pods("shop", 40);
        conditions.answers(pod -> isOneOf(pod, refused) ? REFUSED : null);

        lookFor(seconds);

        assertThat(ready("shop")).isEqualTo(40 - refused);
        assertThat(gate.status().unwritable()).isBetween(1, refused);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void a_request_that_is_never_answered_delays_no_other_namespace(int silent) {
        IntStream.range(0, silent).forEach(i -> pods("a" + i, 3));
        pods("shop", 40);
        conditions.hang(pod -> pod.namespace().startsWith("a"));
        Instant start = time.instant();

        gate.look();
        assertThat(ready("shop")).isEqualTo(40);
        assertThat(Duration.between(start, time.instant()))
                .isLessThanOrEqualTo(Duration.ofSeconds(silent == 1 ? 1 : 2));

        pod("bank", "web-1");
        time.advance(Duration.ofSeconds(1));
        Instant later = time.instant();
        gate.look();
        assertThat(ready("bank")).isOne();
        assertThat(time.instant()).isEqualTo(later);

        lookFor(60);
        assertThat(conditions.requests().stream().filter(pod -> pod.namespace().equals("a0")))
                .as("one at a time")
                .hasSize(1);
    }

    @Test
    void a_late_answer_counts_when_it_comes() {
        pod("shop", "web-1");
        pod("shop", "web-2");
        conditions.hang(pod -> true);
        lookFor(5);
        assertThat(conditions.requests()).hasSize(1);
        conditions.hang(pod -> false);
        lookFor(5);
        assertThat(conditions.requests()).as("the first is in flight").hasSize(1);
        conditions.answerHanging(UNANSWERED);
        lookFor(1);
        assertThat(gate.status().unwritable()).isOne();
        lookFor(3);
        assertThat(ready("shop")).isEqualTo(2);
    }

    @Test
    void a_new_pod_is_written_at_once_while_others_of_its_namespace_are_refused() {
        pods("shop", 30);
        conditions.answers(pod -> pod.name().equals("late") ? null : REFUSED);
        lookFor(120);
        PodState late = pod("shop", "late");

        lookFor(1);

        assertThat(condition(late))
                .hasValueSatisfying(it -> assertThat(it.met()).isTrue());
    }

    @Test
    void a_refused_namespace_delays_no_other() {
        pods("bank", 50);
        pods("cafe", 50);
        pods("shop", 40);
        conditions.answers(pod -> pod.namespace().equals("shop") ? null : REFUSED);

        lookFor(1);

        assertThat(ready("shop")).isEqualTo(40);
    }

    @Test
    void a_namespace_whose_requests_are_not_answered_waits_after_each_of_them() {
        pods("bank", 50);
        pods("shop", 40);
        conditions.answers(pod -> pod.namespace().equals("bank") ? UNANSWERED : null);

        lookFor(1);
        assertThat(ready("shop")).isEqualTo(40);
        lookFor(600);

        assertThat(conditions.requests().stream().filter(pod -> pod.namespace().equals("bank")))
                .hasSizeBetween(20, 30);
        assertThat(gate.status().refused())
                .as("none of them was answered")
                .isEqualTo(conditions.requests().size() - 40);
    }

    static Stream<Consumer<CompletableFuture<?>>> oddEnds() {
        return Stream.of(
                answer -> answer.completeExceptionally(new IllegalStateException("broken")),
                answer -> answer.completeExceptionally(new IOException("broken")),
                answer -> answer.completeExceptionally(new StackOverflowError()),
                answer -> answer.cancel(true));
    }

    /** No implementation of the port does that. */
    @ParameterizedTest
    @MethodSource("oddEnds")
    void a_request_that_ends_in_an_odd_way_counts_as_not_answered(Consumer<CompletableFuture<?>> end) {
        pods("bank", 50);
        pods("shop", 40);
        AtomicInteger odd = new AtomicInteger();
        ReadinessGate breaking = gate((seen, condition) -> {
            if (seen.id().namespace().equals("shop")) {
                return conditions.set(seen, condition);
            }
            CompletableFuture<PodConditions.Result> answer = new CompletableFuture<>();
            time.schedule(Duration.ofMillis(odd.getAndIncrement()), () -> end.accept(answer));
            return answer;
        });
        for (int i = 0; i < 600; i++) {
            time.advance(Duration.ofSeconds(1));
            breaking.look();
        }
        assertThat(ready("shop")).isEqualTo(40);
        assertThat(odd).hasValueBetween(20, 30);
        assertThat(breaking.status().refused()).isEqualTo(odd.get());
    }

    @Test
    void a_pod_that_is_gone_or_could_be_written_counts_no_longer() {
        PodState deleted = pod("shop", "deleted", List.of());
        pod("shop", "waits", List.of());
        pod("bank", "waits", List.of());
        conditions.answer(REFUSED);
        lookFor(1);
        assertThat(gate.status().unwritable()).isEqualTo(3);

        cluster.deletePod(deleted.id());
        lookFor(1);
        assertThat(gate.status().unwritable()).isEqualTo(2);

        conditions.answer(null);
        lookFor(40);
        assertThat(gate.status().unwritable()).isZero();
        assertThat(gate.status().waiting()).isEqualTo(Map.of(Readiness.Reason.WAITING_FOR_POOL, 2));
    }

    @Test
    void a_condition_that_another_client_removed_is_set_again_true_or_not() {
        PodState open = pod("shop", "open");
        PodState shut = pod("shop", "shut", List.of());
        lookFor(2);
        assertThat(conditions.writes()).hasSize(2);

        cluster.put(open);
        cluster.put(shut);
        lookFor(31);
        assertThat(conditions.writes()).hasSize(4);
        assertThat(condition(open))
                .hasValueSatisfying(it -> assertThat(it.met()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_pod_whose_condition_another_client_removed_is_looked_at_as_for_the_first_time(boolean wasOpened) {
        PodState pod = pod("shop", "web", List.of());
        conditions.answer(REFUSED);
        lookFor(480);
        conditions.answer(null);
        if (wasOpened) {
            cluster.put(pod.withCondition(new ReadinessCondition(true, "InPool", "by hand", time.instant())));
        }
        lookFor(40);
        assertThat(condition(pod)).hasValueSatisfying(it -> assertThat(it.met()).isEqualTo(wasOpened));

        conditions.answer(REFUSED);
        cluster.put(pod);
        lookFor(120);
        assertThat(gate.status().longestWait()).isBetween(Duration.ofSeconds(118), Duration.ofSeconds(120));
        conditions.answer(null);
        lookFor(40);
        assertThat(condition(pod)).hasValueSatisfying(it -> assertThat(it.met()).isFalse());
    }

    @Test
    void a_look_that_is_interrupted_sends_nothing_more_and_leaves_the_thread_interrupted() {
        pods("shop", 3);
        Thread.currentThread().interrupt();
        gate.look();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(conditions.requests()).isEmpty();

        conditions.hang(pod -> true);
        interrupted = true;
        time.advance(Duration.ofSeconds(1));
        gate.look();
        assertThat(Thread.interrupted()).as("while it waited for an answer").isTrue();
        assertThat(conditions.requests()).hasSize(1);
    }

    @Test
    void a_condition_from_a_clock_that_is_ahead_has_not_waited_less_than_not_at_all() {
        PodState pod = pod("shop", "web", List.of());
        cluster.put(pod.withCondition(new ReadinessCondition(
                false, "WaitingForPool", "", time.instant().plusSeconds(10))));
        assertThat(gate.status().longestWait()).isZero();
        time.advance(Duration.ofSeconds(12));
        assertThat(gate.status().longestWait()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void namespaces_take_turns() {
        pods("bank", 100);
        pods("shop", 3);

        lookFor(1);

        assertThat(conditions.requests().subList(0, 6))
                .extracting(PodId::namespace)
                .containsOnly("bank", "shop")
                .filteredOn("shop"::equals)
                .hasSize(3);
    }

    @Test
    void a_namespace_that_failed_comes_after_all_others() {
        pods("bank", 1);
        conditions.answer(REFUSED);
        lookFor(1);
        conditions.answer(null);
        pods("shop", 40);
        lookFor(1);

        assertThat(conditions.requests().getLast().namespace()).isEqualTo("bank");
    }

    @Test
    void a_refused_pod_waits_longer_after_each_refusal() {
        pods("shop", 1);
        conditions.answer(REFUSED);
        StringBuilder requests = new StringBuilder();
        int before = 0;
        for (int second = 1; second <= 130; second++) {
            lookFor(1);
            if (conditions.requests().size() > before) {
                requests.append(second).append(' ');
                before = conditions.requests().size();
            }
        }
        assertThat(requests.toString().strip()).isEqualTo("1 2 4 8 16 32 62 92 122");
        assertThat(gate.status().refused()).isEqualTo(9);

        conditions.answer(null);
        lookFor(30);
        assertThat(ready("shop")).isEqualTo(1);
        assertThat(gate.status().unwritable()).isZero();
    }

    @Test
    void the_requests_for_a_refused_namespace_are_bounded() {
        pods("shop", 1000);
        conditions.answer(REFUSED);

        lookFor(600);

        assertThat(conditions.requests()).hasSizeLessThan(600 * 3);
    }

    @Test
    void a_namespace_whose_pods_were_not_listed_stops_only_itself() {
        synced = Set.of("shop")::contains;
        pods("bank", 1);
        pods("shop", 1);

        lookFor(5);

        assertThat(conditions.requests()).extracting(PodId::namespace).containsOnly("shop");
        assertThat(ready("shop")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @Rule(
            id = "Y15",
            says = "While no condition of a Pod could be set, its timeout runs from the leader's first look at it.",
            source = "ours")
    void a_pod_whose_condition_cannot_be_set_times_out(boolean answered) {
        PodState pod = pod("shop", "web", List.of());
        conditions.answer(answered ? REFUSED : UNANSWERED);
        lookFor((int) TIMEOUT.toSeconds() - 5);
        assertThat(gate.status().longestWait()).isBetween(TIMEOUT.minusSeconds(10), TIMEOUT);

        conditions.answers(only(pod, null));
        lookFor(40);

        assertThat(condition(pod)).hasValueSatisfying(it -> {
            assertThat(it.met()).isTrue();
            assertThat(it.reason()).isEqualTo("TimedOut");
        });
    }

    /** Answers as usual only to requests of the last moments, when the timeout is over. */
    private Function<PodId, PodConditions.@Nullable Result> only(PodState pod, PodConditions.@Nullable Result answer) {
        Instant end = time.instant().plusSeconds(5);
        return id -> id.equals(pod.id()) && time.instant().isBefore(end) ? REFUSED : answer;
    }

    @Test
    void the_next_term_starts_with_a_first_look_of_its_own() {
        PodState pod = pod("shop", "web", List.of());
        conditions.answer(REFUSED);
        lookFor((int) TIMEOUT.toSeconds() - 5);
        engine.stopLeading();
        lookFor(1);
        engine.startLeading(Term.untilEnded());
        engine.step();
        lookFor(30);
        conditions.answer(null);
        lookFor(40);

        assertThat(condition(pod)).hasValueSatisfying(it -> assertThat(it.met()).isFalse());
    }

    @Test
    @Rule(
            id = "C122",
            says = "A Pod whose gate can be opened is written within two seconds, however many Pods of another"
                    + " namespace wait whose requests are answered.",
            source = "ours")
    void many_pods_of_a_namespace_delay_no_new_pod_of_another() {
        pods("tenant", 1_000);
        Map<String, Instant> asked = new HashMap<>();
        ReadinessGate busy = gate((pod, condition) -> {
            time.advance(Duration.ofMillis(10));
            if (asked.size() == 5) {
                pod("shop", "web-0");
            }
            asked.putIfAbsent(pod.id().uid(), time.instant());
            return conditions.set(pod, condition);
        });
        Instant begun = time.instant();
        while (asked.size() < 1_001) {
            time.advance(busy.look());
        }
        assertThat(Duration.between(begun, asked.get("uid-shop-web-0"))).isLessThan(Duration.ofSeconds(2));
        assertThat(Duration.between(begun, time.instant())).as("theirs, too").isLessThan(Duration.ofSeconds(14));
    }

    @Test
    void slow_answers_of_a_namespace_delay_no_pod_of_another() {
        pods("tenant", 100);
        pods("shop", 40);
        ReadinessGate slow = gate((seen, condition) -> {
            CompletableFuture<PodConditions.Result> answer = new CompletableFuture<>();
            time.schedule(
                    seen.id().namespace().equals("shop") ? Duration.ofMillis(10) : Duration.ofMillis(900),
                    () -> answer.complete(conditions.set(seen, condition).join()));
            return answer;
        });
        Instant begun = time.instant();
        while (ready("shop") < 40) {
            time.advance(slow.look());
        }
        assertThat(Duration.between(begun, time.instant())).isLessThan(Duration.ofSeconds(3));
        while (ready("tenant") < 100) {
            time.advance(slow.look());
        }
        assertThat(Duration.between(begun, time.instant())).isLessThan(Duration.ofSeconds(150));
    }
}
