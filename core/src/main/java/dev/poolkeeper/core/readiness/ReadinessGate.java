package dev.poolkeeper.core.readiness;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.readiness.Readiness.Reason;
import dev.poolkeeper.ports.PodConditions;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sets the readiness gate's condition on Pods that opted in.
 *
 * <ul>
 *   <li>Nothing is decided about a Pod until the caches are synced, including the Pods of its namespace, and the load
 *       balancers have been listed in this term as leader; only the leader writes.
 *   <li>A condition is written only when its status, reason or message changes, and never once it is True.
 *   <li>Namespaces take turns. In each, Pods that could be written so far come first, and conditions that become True.
 *       It has one request in flight at most; one that is answered late delays only its own namespace.
 *   <li>A Pod that was deleted or changed in the meantime is checked again later. One that cannot be written waits with
 *       back-off, delays no other ({@link Refusals}), and times out like the rest.
 * </ul>
 *
 * <p>{@link #look} waits for answers, for a limited time, and must be called from one thread; all other methods are
 * thread-safe and return immediately.
 */
public final class ReadinessGate {

    private static final Logger log = LoggerFactory.getLogger(ReadinessGate.class);

    /** The longest time between the starts of two looks. */
    public static final Duration MAX_TURN = Duration.ofSeconds(60);

    /** The time between looks while a Pod waits. */
    static final Duration BUSY_INTERVAL = Duration.ofSeconds(1);

    /** The time between looks while no Pod waits, so that the loop still proves it is alive. */
    static final Duration IDLE_INTERVAL = Duration.ofSeconds(30);

    /** After this time a look starts no further writes; the remaining ones wait for the next look. */
    private static final Duration MAX_LOOK = Duration.ofSeconds(20);

    /** The shortest time between looks, however many Pods arrive. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(200);

    /** How long a look waits for the answer to a request. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The number of requests after which a look waits for their answers. */
    private static final int AT_ONCE = 32;

    private static final Backoff AFTER_REFUSAL = Backoff.doubling(BUSY_INTERVAL, IDLE_INTERVAL);

    private final GatedPods pods;
    private final NodeAddresses nodes;
    private final Engine engine;
    private final PodConditions conditions;
    private final Duration timeout;
    private final Time time;
    private final Predicate<String> hasSynced;
    private final SentConditions sent = new SentConditions();
    private final Refusals refusals = new Refusals(AFTER_REFUSAL);
    /** When this leader first saw each Pod that has no condition, by uid. */
    private final Map<String, Instant> firstLooks = new ConcurrentHashMap<>();

    /** The request of each namespace that was not answered when last looked at. */
    private final Map<String, Request> inFlight = new HashMap<>();

    private final Map<Reason, Long> written = new ConcurrentHashMap<>();
    private final AtomicLong refused = new AtomicLong();
    private long restUntilNanos;

    /**
     * @param pods the waiting Pods, kept up to date by watch events
     * @param nodes the nodes' addresses
     * @param engine the status of the pools
     * @param conditions writes the conditions
     * @param timeout the time after which a Pod stops waiting; zero for never
     * @param time the machine's clock, because times in conditions are compared with those of other replicas
     * @param hasSynced whether the caches of the cluster have synced, including the Pods of the given namespace
     */
    public ReadinessGate(
            GatedPods pods,
            NodeAddresses nodes,
            Engine engine,
            PodConditions conditions,
            Duration timeout,
            Time time,
            Predicate<String> hasSynced) {
        this.pods = requireNonNull(pods, "pods");
        this.nodes = requireNonNull(nodes, "nodes");
        this.engine = requireNonNull(engine, "engine");
        this.conditions = requireNonNull(conditions, "conditions");
        this.timeout = requireNonNull(timeout, "timeout");
        this.time = requireNonNull(time, "time");
        this.hasSynced = requireNonNull(hasSynced, "hasSynced");
        this.restUntilNanos = time.nanoTime();
    }

    /** @param task called when {@link #look} may be due sooner; must be quick; may be called from any thread */
    public void onLookDue(Runnable task) {
        pods.onPodWaiting(task);
    }

    /**
     * Evaluates every waiting Pod and writes the conditions that changed.
     *
     * @return how long to wait before the next look
     */
    public Duration look() {
        Duration toRest = Duration.ofNanos(restUntilNanos - time.nanoTime());
        if (toRest.isPositive()) {
            return toRest;
        }
        List.copyOf(inFlight.keySet()).forEach(namespace -> isAnswered(namespace, Duration.ZERO));
        List<GatedPod> waiting = pods.withServices();
        retain(waiting);
        if (waiting.isEmpty()) {
            return IDLE_INTERVAL;
        }
        if (engine.isServing()) {
            writeAll(changes(waiting));
        } else {
            firstLooks.clear();
        }
        restUntilNanos = time.nanoTime() + MIN_INTERVAL.toNanos();
        return BUSY_INTERVAL;
    }

    private void retain(List<GatedPod> waiting) {
        Set<String> uids = new HashSet<>();
        Set<String> namespaces = new HashSet<>();
        for (GatedPod gated : waiting) {
            uids.add(gated.pod().id().uid());
            namespaces.add(gated.pod().id().namespace());
        }
        sent.retain(uids);
        refusals.retain(uids, namespaces);
        firstLooks.keySet().retainAll(uids);
    }

    private void writeAll(List<Change> changes) {
        long begun = time.nanoTime();
        Set<String> asked = new LinkedHashSet<>();
        Set<String> ended = new HashSet<>();
        for (Change change : changes) {
            String namespace = change.pod().id().namespace();
            if (asked.remove(namespace)) {
                await(Set.of(namespace), ended);
            } else if (asked.size() == AT_ONCE) {
                await(asked, ended);
                asked.clear();
            }
            if (!engine.isServing() || time.nanoTime() - begun >= MAX_LOOK.toNanos()) {
                return;
            }
            if (!ended.contains(namespace) && !inFlight.containsKey(namespace) && isStillTrue(change)) {
                inFlight.put(
                        namespace,
                        new Request(change, conditions.set(change.pod(), change.condition()), time.nanoTime()));
                asked.add(namespace);
            }
        }
        await(asked, ended);
    }

    private void await(Set<String> asked, Set<String> ended) {
        for (String namespace : asked) {
            if (!isAnswered(namespace, PATIENCE)) {
                ended.add(namespace);
            }
        }
    }

    /**
     * Ends the request of a namespace if it was answered. Returns false if its Pods are to wait.
     *
     * @param limit how long it waits for the answer since the request was sent
     */
    private boolean isAnswered(String namespace, Duration limit) {
        Request request = requireNonNull(inFlight.get(namespace));
        Optional<PodConditions.Result> answer = answer(request, limit);
        if (answer.isEmpty()) {
            return false;
        }
        inFlight.remove(namespace);
        return ended(request.change(), answer.get()) || !refusals.waits(namespace, time.nanoTime());
    }

    private Optional<PodConditions.Result> answer(Request request, Duration limit) {
        try {
            return Optional.of(time.await(request.answer(), limit.minusNanos(time.nanoTime() - request.sentNanos())));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException | CancellationException e) {
            return Optional.of(new PodConditions.Unanswered(e.toString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** A gate that was opened stays open, and while others were written its pools may have lost the node. */
    private boolean isStillTrue(Change change) {
        return !change.condition().met()
                || rule(List.of(change.gated()))
                        .decide(change.gated(), firstLook(change.pod(), time.instant()), time.instant())
                        .isReady();
    }

    /** The condition to write to one Pod. */
    private record Change(GatedPod gated, Reason reason, ReadinessCondition condition) {

        PodState pod() {
            return gated.pod();
        }
    }

    /** A condition that was sent. */
    private record Request(Change change, CompletableFuture<PodConditions.Result> answer, long sentNanos) {}

    private ReadinessRule rule(List<GatedPod> waiting) {
        Map<ServiceName, List<PoolStatus>> pools = poolsOf(waiting);
        return new ReadinessRule(timeout, nodes, service -> pools.getOrDefault(service, List.of()));
    }

    private List<Change> changes(List<GatedPod> waiting) {
        ReadinessRule rule = rule(waiting);
        Instant now = time.instant();
        List<Change> changes = new ArrayList<>();
        for (GatedPod gated : waiting) {
            PodState pod = gated.pod();
            if (hasSynced.test(pod.id().namespace())) {
                Instant firstLook = firstLook(pod, now);
                if (sent.isDue(pod, now) && refusals.isDue(pod, time.nanoTime())) {
                    change(gated, rule.decide(gated, firstLook, now), now).ifPresent(changes::add);
                }
            }
        }
        return inTurns(changes);
    }

    private Instant firstLook(PodState pod, Instant now) {
        String uid = pod.id().uid();
        if (sent.current(pod, now).isPresent()) {
            firstLooks.remove(uid);
            return now;
        }
        return firstLooks.computeIfAbsent(uid, key -> now);
    }

    /** One change of each namespace after another; namespaces whose last request failed come last. */
    private List<Change> inTurns(List<Change> changes) {
        changes.sort(Comparator.comparing((Change change) -> refusals.failures(change.pod()))
                .thenComparing(change -> !change.condition().met()));
        Map<String, Integer> turns = new HashMap<>();
        record Turn(boolean troubled, int number, Change change) {}
        return changes.stream()
                .map(change -> {
                    String namespace = change.pod().id().namespace();
                    return new Turn(refusals.isTroubled(namespace), turns.merge(namespace, 1, Integer::sum), change);
                })
                .sorted(Comparator.comparing(Turn::troubled).thenComparing(Turn::number))
                .map(Turn::change)
                .toList();
    }

    private Map<ServiceName, List<PoolStatus>> poolsOf(List<GatedPod> waiting) {
        Set<ServiceName> services = new HashSet<>();
        waiting.forEach(gated -> services.addAll(gated.services().keySet()));
        Map<ServiceName, List<PoolStatus>> pools = new HashMap<>();
        for (PoolStatus pool : engine.pools(services)) {
            pool.services()
                    .forEach(service -> pools.computeIfAbsent(service, key -> new ArrayList<>(2))
                            .add(pool));
        }
        return pools;
    }

    private Optional<Change> change(GatedPod gated, Readiness readiness, Instant now) {
        Optional<ReadinessCondition> before = sent.current(gated.pod(), now);
        if (before.map(ReadinessCondition::met).orElse(false)) {
            return Optional.empty();
        }
        Instant since = readiness.isReady()
                ? now
                : before.map(ReadinessCondition::since).orElse(now);
        ReadinessCondition condition = new ReadinessCondition(
                readiness.isReady(),
                readiness.reason().word(),
                readiness.message(),
                since.truncatedTo(ChronoUnit.SECONDS));
        return before.filter(condition::hasSameContentAs).isPresent()
                ? Optional.empty()
                : Optional.of(new Change(gated, readiness.reason(), condition));
    }

    /** Returns false if the condition could not be written. */
    private boolean ended(Change change, PodConditions.Result answer) {
        switch (answer) {
            case PodConditions.Written() -> written(change);
            case PodConditions.Outdated(String why) -> {
                sent.outdated(change.pod(), time.instant());
                log.atDebug()
                        .addKeyValue("pod", change.pod().id())
                        .addKeyValue("reason", why)
                        .log("Pod changed in the meantime; checking it again later");
            }
            case PodConditions.Refused(String why) -> {
                failed(change, true, why);
                return false;
            }
            case PodConditions.Unanswered(String why) -> {
                failed(change, false, why);
                return false;
            }
        }
        refusals.answered(change.pod());
        return true;
    }

    private void written(Change change) {
        sent.written(change.pod(), change.condition(), time.instant());
        written.merge(change.reason(), 1L, Long::sum);
        Level level = change.reason() == Reason.TIMED_OUT
                ? Level.WARN
                : change.condition().met() ? Level.INFO : Level.DEBUG;
        log.atLevel(level)
                .addKeyValue("pod", change.pod().id())
                .addKeyValue("ready", change.condition().met())
                .addKeyValue("reason", change.condition().reason())
                .addKeyValue("message", change.condition().message())
                .log("Set the readiness gate's condition");
    }

    private void failed(Change change, boolean answered, String why) {
        refused.incrementAndGet();
        PodState pod = change.pod();
        boolean isNews =
                refusals.failures(pod) == 0 && !refusals.isTroubled(pod.id().namespace());
        refusals.failed(pod, answered, time.nanoTime());
        log.atLevel(isNews ? Level.WARN : Level.DEBUG)
                .addKeyValue("pod", pod.id())
                .addKeyValue("reason", why)
                .log("Setting the readiness gate's condition failed; retrying");
    }

    /** The status of the gate; also available on a standby. Cost is proportional to the number of waiting Pods. */
    public ReadinessStatus status() {
        List<PodState> waiting = pods.waiting();
        Instant now = time.instant();
        Map<Reason, Integer> byReason = new EnumMap<>(Reason.class);
        waiting.stream()
                .flatMap(pod -> pod.condition().stream())
                .flatMap(condition -> Reason.of(condition.reason()).stream())
                .forEach(reason -> byReason.merge(reason, 1, Integer::sum));
        Duration longest = waiting.stream()
                .flatMap(pod -> since(pod).stream())
                .map(since -> Duration.between(since, now))
                .max(Comparator.naturalOrder())
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
        int undecided =
                (int) waiting.stream().filter(pod -> pod.condition().isEmpty()).count();
        return new ReadinessStatus(byReason, undecided, refusals.count(), longest, written, refused.get());
    }

    private Optional<Instant> since(PodState pod) {
        return pod.condition()
                .map(ReadinessCondition::since)
                .or(() -> Optional.ofNullable(firstLooks.get(pod.id().uid())));
    }
}
