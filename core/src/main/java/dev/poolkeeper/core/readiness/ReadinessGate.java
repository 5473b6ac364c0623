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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
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
 *       It has one request in flight at most, and others do not wait for its answer. However many Pods of a namespace
 *       wait, one that becomes due in another is taken up within seconds.
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

    /**
     * After this time a look gives no namespace a further turn, since Pods of others may have become due. Time in which
     * it waited in vain does not count: it waits only once for a request that is never answered.
     */
    private static final Duration MAX_ROUNDS = Duration.ofSeconds(1);

    /** The shortest time between looks, however many Pods arrive. */
    private static final Duration MIN_INTERVAL = Duration.ofMillis(200);

    /** How long a look waits for the answer to a request. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** How many requests a look waits for at most before it sends the next. */
    private static final int AT_ONCE = 32;

    private static final Backoff AFTER_REFUSAL = new Backoff(BUSY_INTERVAL, IDLE_INTERVAL);

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
        List.copyOf(inFlight.keySet()).forEach(this::isAnswered);
        List<GatedPod> waiting = pods.withServices();
        retain(waiting);
        if (waiting.isEmpty()) {
            return IDLE_INTERVAL;
        }
        boolean all = true;
        if (engine.isServing()) {
            all = new Turns().take(changes(waiting));
        } else {
            firstLooks.clear();
        }
        restUntilNanos = time.nanoTime() + MIN_INTERVAL.toNanos();
        return all ? BUSY_INTERVAL : MIN_INTERVAL;
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

    /** The requests of one look. */
    private final class Turns {

        private final long begun = time.nanoTime();
        /** The namespaces for whose answers it waits. */
        private final Set<String> asked = new LinkedHashSet<>();
        /** The namespaces that are to wait for the next look. */
        private final Set<String> ended = new HashSet<>();

        private long inVainNanos;

        /**
         * Writes changes; those of a namespace in their order, and namespaces whose last request failed come last.
         *
         * @return false if some are left to which the next look is to come soon
         */
        boolean take(List<Change> changes) {
            Map<String, Queue<Change>> first = new LinkedHashMap<>();
            Map<String, Queue<Change>> last = new LinkedHashMap<>();
            for (Change change : changes) {
                String namespace = change.pod().id().namespace();
                if (!inFlight.containsKey(namespace)) {
                    (refusals.isTroubled(namespace) ? last : first)
                            .computeIfAbsent(namespace, key -> new ArrayDeque<>())
                            .add(change);
                }
            }
            boolean tookFirst = takeTurns(first);
            boolean tookLast = takeTurns(last);
            while (tookFirst && tookLast && !asked.isEmpty() && !stops()) {
                awaitAnswer();
            }
            return tookFirst && tookLast;
        }

        /** At least one turn of each namespace. */
        private boolean takeTurns(Map<String, Queue<Change>> left) {
            do {
                boolean sent = false;
                for (String namespace : List.copyOf(left.keySet())) {
                    if (asked.size() >= AT_ONCE) {
                        awaitAnswer();
                    }
                    if (stops()) {
                        return false;
                    }
                    sent |= takeTurn(namespace, left);
                }
                if (!sent && !left.isEmpty() && !asked.isEmpty()) {
                    awaitAnswer();
                }
            } while (!left.isEmpty() && time.nanoTime() - begun - inVainNanos < MAX_ROUNDS.toNanos());
            return left.isEmpty();
        }

        private boolean takeTurn(String namespace, Map<String, Queue<Change>> left) {
            end(namespace);
            if (asked.contains(namespace)) {
                return false;
            }
            Queue<Change> changes = requireNonNull(left.get(namespace));
            while (!ended.contains(namespace) && !changes.isEmpty()) {
                Change change = changes.remove();
                if (isStillTrue(change)) {
                    CompletableFuture<PodConditions.Result> answer = conditions.set(change.pod(), change.condition());
                    inFlight.put(namespace, new Request(change, answer, time.nanoTime()));
                    asked.add(namespace);
                    return true;
                }
            }
            left.remove(namespace);
            return false;
        }

        private boolean stops() {
            return !engine.isServing()
                    || time.nanoTime() - begun >= MAX_LOOK.toNanos()
                    || Thread.currentThread().isInterrupted();
        }

        /** Waits until any request is answered, or until the first was given time enough. */
        private void awaitAnswer() {
            List<Request> requests =
                    asked.stream().map(it -> requireNonNull(inFlight.get(it))).toList();
            long before = time.nanoTime();
            long longest = requests.stream()
                    .mapToLong(request -> before - request.sentNanos())
                    .max()
                    .orElse(0);
            try {
                time.await(
                        CompletableFuture.anyOf(
                                requests.stream().map(Request::answer).toArray(CompletableFuture<?>[]::new)),
                        PATIENCE.minusNanos(longest));
            } catch (TimeoutException e) {
                inVainNanos += time.nanoTime() - before;
            } catch (ExecutionException | CancellationException e) {
                // answered
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            List.copyOf(asked).forEach(this::end);
        }

        /** Ends the wait for a namespace's answer if it has come, or was given time enough. */
        private void end(String namespace) {
            Request request = inFlight.get(namespace);
            if (request != null
                    && (request.answer().isDone() || time.nanoTime() - request.sentNanos() >= PATIENCE.toNanos())) {
                asked.remove(namespace);
                if (!isAnswered(namespace)) {
                    ended.add(namespace);
                }
            }
        }
    }

    /** Ends the request of a namespace if it was answered. Returns false if its Pods are to wait. */
    private boolean isAnswered(String namespace) {
        Request request = requireNonNull(inFlight.get(namespace));
        if (!request.answer().isDone()) {
            return false;
        }
        inFlight.remove(namespace);
        PodConditions.Result answer = request.answer()
                .exceptionally(thrown -> new PodConditions.Unanswered(thrown.toString()))
                .join();
        return ended(request.change(), answer) || !refusals.waits(namespace, time.nanoTime());
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
        Set<ServiceName> services = new HashSet<>();
        waiting.forEach(gated -> services.addAll(gated.services().keySet()));
        Map<ServiceName, List<PoolStatus>> pools = new HashMap<>();
        for (PoolStatus pool : engine.pools(services)) {
            pool.services()
                    .forEach(service -> pools.computeIfAbsent(service, key -> new ArrayList<>(2))
                            .add(pool));
        }
        return new ReadinessRule(timeout, nodes, service -> pools.getOrDefault(service, List.of()));
    }

    /** What is to be written, in the order in which each namespace's are. */
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
        changes.sort(Comparator.comparing((Change change) -> refusals.failures(change.pod()))
                .thenComparing(change -> !change.condition().met()));
        return changes;
    }

    private Instant firstLook(PodState pod, Instant now) {
        String uid = pod.id().uid();
        if (sent.current(pod, now).isPresent()) {
            firstLooks.remove(uid);
            return now;
        }
        return firstLooks.computeIfAbsent(uid, key -> now);
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
