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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Sets the readiness gate's condition on Pods that opted in.
 *
 * <ul>
 *   <li>Nothing is decided until all caches are synced and the load balancers have been listed in this term as leader;
 *       only the leader writes.
 *   <li>A condition is written only when its status, reason or message changes, and never once it is True.
 *   <li>Conditions that become True are written first.
 *   <li>A Pod that was deleted or changed in the meantime is checked again later. If the API server refuses a request,
 *       the remaining Pods wait for the next look, with backoff.
 * </ul>
 *
 * <p>{@link #look} blocks during requests and must be called from one thread; all other methods are thread-safe and
 * return immediately.
 */
public final class ReadinessGate {

    private static final Logger log = LoggerFactory.getLogger(ReadinessGate.class);

    /** The longest time between the starts of two looks, if requests take half a minute at most. */
    public static final Duration LONGEST_TURN = Duration.ofSeconds(80);

    /** The time between looks while a Pod waits. */
    static final Duration OFTEN = Duration.ofSeconds(1);

    /** The time between looks while no Pod waits, so that the loop still proves it is alive. */
    static final Duration SELDOM = Duration.ofSeconds(30);

    /** After this time a look starts no further writes; the remaining ones wait for the next look. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(20);

    /** The shortest time between looks, however many Pods arrive. */
    private static final Duration SHORTEST = Duration.ofMillis(200);

    private static final Backoff AFTER_REFUSAL = Backoff.doubling(OFTEN, SELDOM);

    private final GatedPods pods;
    private final NodeAddresses nodes;
    private final Engine engine;
    private final PodConditions conditions;
    private final Duration timeout;
    private final Time time;
    private final BooleanSupplier hasSynced;
    private final SentConditions sent = new SentConditions();
    private final Map<Reason, Long> written = new EnumMap<>(Reason.class);
    private long refused;
    private int refusalsInARow;
    private long lookedNanos;
    private Duration rest = Duration.ZERO;
    private Optional<String> trouble = Optional.empty();

    /**
     * @param pods the waiting Pods, kept up to date by watch events
     * @param nodes the nodes' addresses
     * @param engine the status of the pools
     * @param conditions writes the conditions
     * @param timeout the time after which a Pod stops waiting; zero for never
     * @param time the machine's clock, because times in conditions are compared with those of other replicas
     * @param hasSynced whether the caches of the cluster, including Pods, have synced
     */
    public ReadinessGate(
            GatedPods pods,
            NodeAddresses nodes,
            Engine engine,
            PodConditions conditions,
            Duration timeout,
            Time time,
            BooleanSupplier hasSynced) {
        this.pods = requireNonNull(pods, "pods");
        this.nodes = requireNonNull(nodes, "nodes");
        this.engine = requireNonNull(engine, "engine");
        this.conditions = requireNonNull(conditions, "conditions");
        this.timeout = requireNonNull(timeout, "timeout");
        this.time = requireNonNull(time, "time");
        this.hasSynced = requireNonNull(hasSynced, "hasSynced");
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
        Duration toRest = toRest();
        if (toRest.isPositive()) {
            return toRest;
        }
        List<GatedPod> waiting = pods.withServices();
        sent.retain(waiting);
        if (waiting.isEmpty()) {
            return SELDOM;
        }
        boolean isTaken = !mayDecide() || writeAll(changes(waiting));
        lookedNanos = time.nanoTime();
        rest = isTaken ? SHORTEST : AFTER_REFUSAL.before(++refusalsInARow);
        return isTaken ? OFTEN : rest;
    }

    private Duration toRest() {
        return rest.isZero() ? rest : rest.minusNanos(time.nanoTime() - lookedNanos);
    }

    /** Returns false if the API server refused, so that no further write is tried now. */
    private boolean writeAll(List<Change> changes) {
        long begun = time.nanoTime();
        for (Change change : changes) {
            if (!mayDecide() || time.nanoTime() - begun >= LONGEST_LOOK.toNanos()) {
                return true;
            }
            if (!write(change)) {
                return false;
            }
        }
        return true;
    }

    private boolean mayDecide() {
        return hasSynced.getAsBoolean() && engine.isServing();
    }

    /** The condition to write to one Pod. */
    private record Change(PodState pod, Reason reason, ReadinessCondition condition) {}

    private List<Change> changes(List<GatedPod> waiting) {
        Map<ServiceName, List<PoolStatus>> pools = poolsOf(waiting);
        ReadinessRule rule = new ReadinessRule(timeout, nodes, service -> pools.getOrDefault(service, List.of()));
        Instant now = time.instant();
        List<Change> changes = new ArrayList<>();
        for (GatedPod gated : waiting) {
            if (sent.isDue(gated.pod(), now)) {
                change(gated.pod(), rule.decide(gated, now), now).ifPresent(changes::add);
            }
        }
        changes.sort(Comparator.comparing(change -> !change.condition().met()));
        return changes;
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

    private Optional<Change> change(PodState pod, Readiness readiness, Instant now) {
        Optional<ReadinessCondition> before = sent.current(pod, now);
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
                : Optional.of(new Change(pod, readiness.reason(), condition));
    }

    /** Returns false if the API server refused, so that no further write is tried now. */
    private boolean write(Change change) {
        PodConditions.Result result = conditions.set(change.pod(), change.condition());
        switch (result) {
            case PodConditions.Written() -> written(change);
            case PodConditions.Outdated(String why) -> {
                sent.outdated(change.pod(), time.instant());
                log.atDebug()
                        .addKeyValue("pod", change.pod().id())
                        .addKeyValue("reason", why)
                        .log("Pod changed in the meantime; checking it again later");
            }
            case PodConditions.Refused(String why) -> {
                refused(change, why);
                return false;
            }
        }
        refusalsInARow = 0;
        trouble = Optional.empty();
        return true;
    }

    private void written(Change change) {
        sent.written(change.pod(), change.condition(), time.instant());
        synchronized (written) {
            written.merge(change.reason(), 1L, Long::sum);
        }
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

    private void refused(Change change, String why) {
        synchronized (written) {
            refused++;
        }
        boolean isNews = !trouble.equals(Optional.of(why));
        trouble = Optional.of(why);
        log.atLevel(isNews ? Level.WARN : Level.DEBUG)
                .addKeyValue("pod", change.pod().id())
                .addKeyValue("reason", why)
                .log("Setting the readiness gate's condition failed; retrying");
    }

    /** The status of the gate; also available on a standby. Cost is proportional to the number of waiting Pods. */
    public ReadinessStatus status() {
        List<Optional<ReadinessCondition>> waiting =
                pods.waiting().stream().map(PodState::condition).toList();
        Instant now = time.instant();
        Map<Reason, Integer> byReason = new EnumMap<>(Reason.class);
        waiting.stream()
                .flatMap(Optional::stream)
                .flatMap(condition -> Reason.of(condition.reason()).stream())
                .forEach(reason -> byReason.merge(reason, 1, Integer::sum));
        Duration longest = waiting.stream()
                .flatMap(Optional::stream)
                .map(condition -> Duration.between(condition.since(), now))
                .max(Comparator.naturalOrder())
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
        int undecided = (int) waiting.stream().filter(Optional::isEmpty).count();
        synchronized (written) {
            return new ReadinessStatus(byReason, undecided, longest, written, refused);
        }
    }
}
