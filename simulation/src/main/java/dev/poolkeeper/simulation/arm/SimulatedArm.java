package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The load balancers of a resource group, the operations that run on them, and the faults of the hour. */
public final class SimulatedArm {

    /** Hears of what happens to pools, and of the faults that requests meet. */
    public interface Observer {

        /** A request met a fault. */
        void met(ArmFault fault);

        /** A pool's content is another one now. */
        void written(PoolImage before, PoolImage after, String writer);
    }

    private static final class LoadBalancer {
        final Map<ArmName, PoolImage> pools = new TreeMap<>();

        @Nullable
        ArmOperation running;
    }

    private final Timeline timeline;
    private final Chance chance;
    private final Observer observer;
    private final Map<ArmName, LoadBalancer> loadBalancers = new TreeMap<>();
    private final List<FaultWindow> windows = new ArrayList<>();
    private Consumer<FaultWindow> faultObserver = window -> {};
    private long etags = 100;

    public SimulatedArm(Timeline timeline, Chance chance, Observer observer) {
        this.timeline = timeline;
        this.chance = chance;
        this.observer = observer;
    }

    // --- what there is ---

    public void createLoadBalancer(ArmName name) {
        loadBalancers.computeIfAbsent(name, key -> new LoadBalancer());
    }

    public List<ArmName> loadBalancers() {
        return List.copyOf(loadBalancers.keySet());
    }

    public Optional<PoolImage> find(PoolKey key) {
        LoadBalancer loadBalancer = loadBalancers.get(key.loadBalancer());
        return loadBalancer == null ? Optional.empty() : Optional.ofNullable(loadBalancer.pools.get(key.pool()));
    }

    public List<PoolImage> pools() {
        return loadBalancers.values().stream()
                .flatMap(loadBalancer -> loadBalancer.pools.values().stream())
                .toList();
    }

    /** The pools of this name, on whichever load balancers. */
    public List<PoolKey> places(ArmName pool) {
        List<PoolKey> places = new ArrayList<>();
        for (LoadBalancer loadBalancer : loadBalancers.values()) {
            PoolImage image = loadBalancer.pools.get(pool);
            if (image != null) {
                places.add(image.key());
            }
        }
        return places;
    }

    public void createPool(PoolKey key, Map<IpAddress, String> entries) {
        createLoadBalancer(key.loadBalancer());
        at(key).pools.putIfAbsent(key.pool(), new PoolImage(key, entries, "fields-" + etags, nextEtag()));
    }

    public void deletePool(PoolKey key) {
        LoadBalancer loadBalancer = loadBalancers.get(key.loadBalancer());
        if (loadBalancer != null && loadBalancer.pools.containsKey(key.pool())) {
            supersede(loadBalancer);
            loadBalancer.pools.remove(key.pool());
        }
    }

    private static void supersede(LoadBalancer loadBalancer) {
        ArmOperation running = loadBalancer.running;
        if (running != null) {
            running.end(ArmOperation.State.CANCELED, null);
            loadBalancer.running = null;
        }
    }

    private LoadBalancer at(PoolKey key) {
        return java.util.Objects.requireNonNull(loadBalancers.get(key.loadBalancer()));
    }

    private String nextEtag() {
        return "W/\"" + ++etags + "\"";
    }

    /** Somebody who asks nobody writes; an operation that runs on the load balancer is superseded. */
    public void foreignWrite(PoolKey key, Map<IpAddress, String> entries, @Nullable String otherFields) {
        PoolImage before = find(key).orElse(null);
        if (before != null) {
            supersede(at(key));
            store(new PoolImage(key, entries, otherFields == null ? before.otherFields() : otherFields, ""), "foreign");
        }
    }

    private PoolImage store(PoolImage wanted, String writer) {
        LoadBalancer loadBalancer = at(wanted.key());
        PoolImage before = loadBalancer.pools.get(wanted.key().pool());
        PoolImage after = new PoolImage(wanted.key(), wanted.entries(), wanted.otherFields(), nextEtag());
        loadBalancer.pools.put(wanted.key().pool(), after);
        observer.written(before == null ? after : before, after, writer);
        return after;
    }

    // --- what is wrong ---

    public void fault(FaultWindow window) {
        windows.removeIf(old -> old.untilNanos() <= timeline.now());
        windows.add(window);
        faultObserver.accept(window);
    }

    /** @param listener hears of every fault that begins */
    public void observeFaults(Consumer<FaultWindow> listener) {
        faultObserver = listener;
    }

    /** As on a good day. */
    public void heal() {
        windows.clear();
        loadBalancers.values().forEach(SimulatedArm::supersede);
    }

    private @Nullable FaultWindow meets(ArmName loadBalancer, List<ArmFault> faults) {
        for (FaultWindow window : windows) {
            if (window.untilNanos() > timeline.now()
                    && faults.contains(window.fault())
                    && (window.loadBalancer() == null || window.loadBalancer().equals(loadBalancer))
                    && chance.happens(window.share())) {
                observer.met(window.fault());
                return window;
            }
        }
        return null;
    }

    private boolean isIn(ArmFault fault) {
        for (FaultWindow window : windows) {
            if (window.fault() == fault && window.untilNanos() > timeline.now()) {
                return true;
            }
        }
        return false;
    }

    /** How long a request takes, each way. */
    long latency() {
        long usual = chance.between(5, 60) * Timeline.MILLIS;
        return isIn(ArmFault.BROWNOUT) ? usual * 50 : usual;
    }

    private @Nullable Answer refusal(ArmName loadBalancer, boolean write) {
        FaultWindow window = meets(
                loadBalancer,
                List.of(
                        write ? ArmFault.THROTTLED_WRITES : ArmFault.THROTTLED_READS,
                        ArmFault.SERVER_ERROR,
                        ArmFault.CONNECTION_LOST,
                        ArmFault.FORBIDDEN,
                        ArmFault.UNAUTHORIZED,
                        ArmFault.BROWNOUT,
                        ArmFault.NOT_FOUND));
        if (window == null) {
            return null;
        }
        return switch (window.fault()) {
            case THROTTLED_READS, THROTTLED_WRITES ->
                new Answer(429, "TooManyRequests", window.retryAfter(), null, null, null);
            case CONNECTION_LOST -> Answer.NONE;
            case FORBIDDEN -> Answer.error(403, "AuthorizationFailed");
            case UNAUTHORIZED -> Answer.error(401, "ExpiredAuthenticationToken");
            case NOT_FOUND -> Answer.error(404, "NotFound");
            default -> Answer.error(chance.pick(500, 502, 503, 504), "ServerError");
        };
    }

    // --- what it is asked ---

    Answer get(PoolKey key) {
        Answer refusal = refusal(key.loadBalancer(), false);
        return refusal != null ? refusal : find(key).map(Answer::ok).orElseGet(() -> Answer.error(404, "NotFound"));
    }

    Answer list() {
        if (meets(ArmName.of("all"), List.of(ArmFault.LISTING_FAILS)) != null) {
            return Answer.error(500, "InternalServerError");
        }
        if (meets(ArmName.of("all"), List.of(ArmFault.LISTING_EMPTY)) != null) {
            return new Answer(200, null, null, null, null, List.of());
        }
        Answer refusal =
                isIn(ArmFault.BROWNOUT) || isIn(ArmFault.THROTTLED_READS) ? refusal(ArmName.of("all"), false) : null;
        return refusal != null ? refusal : new Answer(200, null, null, null, null, pools());
    }

    Answer poll(ArmOperation operation) {
        FaultWindow window =
                meets(operation.wanted.key().loadBalancer(), List.of(ArmFault.THROTTLED_READS, ArmFault.BROWNOUT));
        if (window != null) {
            return window.fault() == ArmFault.BROWNOUT
                    ? Answer.error(503, "ServerError")
                    : new Answer(429, "TooManyRequests", window.retryAfter(), null, null, null);
        }
        return operation.state() == ArmOperation.State.LOST
                ? Answer.error(404, "NotFound")
                : new Answer(200, null, null, null, operation, null);
    }

    /**
     * A conditional write.
     *
     * @param ifMatch the ETag that the pool must have, null for any
     */
    Answer put(PoolImage wanted, @Nullable String ifMatch, String writer) {
        ArmName name = wanted.key().loadBalancer();
        Answer refusal = refusal(name, true);
        if (refusal != null) {
            return refusal;
        }
        PoolImage now = find(wanted.key()).orElse(null);
        if (now == null) {
            return Answer.error(404, "NotFound");
        }
        if (at(wanted.key()).running != null || meets(name, List.of(ArmFault.BUSY)) != null) {
            return Answer.error(409, "AnotherOperationInProgress");
        }
        if (ifMatch != null && !ifMatch.equals(now.etag())) {
            return Answer.error(412, "PreconditionFailed");
        }
        return accept(wanted, writer);
    }

    private Answer accept(PoolImage wanted, String writer) {
        FaultWindow window = meets(
                wanted.key().loadBalancer(),
                List.of(
                        ArmFault.ERROR_AFTER_EFFECT,
                        ArmFault.SILENCE_AFTER_EFFECT,
                        ArmFault.OPERATION_FAILED,
                        ArmFault.OPERATION_SUPERSEDED,
                        ArmFault.OPERATION_SLOW,
                        ArmFault.OPERATION_LOST,
                        ArmFault.LOCATION_LOST));
        if (window == null) {
            return chance.happens(0.4) ? Answer.ok(store(wanted, writer)) : begin(wanted, writer, null);
        }
        return switch (window.fault()) {
            case ERROR_AFTER_EFFECT -> {
                store(wanted, writer);
                yield Answer.error(500, "InternalServerError");
            }
            case SILENCE_AFTER_EFFECT -> {
                store(wanted, writer);
                yield Answer.NONE;
            }
            default -> begin(wanted, writer, window.fault());
        };
    }

    /** A long-running operation; the load balancer is busy until it ends. */
    private Answer begin(PoolImage wanted, String writer, @Nullable ArmFault fault) {
        ArmOperation operation = new ArmOperation(wanted, writer);
        LoadBalancer loadBalancer = at(wanted.key());
        loadBalancer.running = operation;
        boolean atOnce = chance.happens(0.5); // ARM shows some changes before the operation ends
        boolean succeeds = fault != ArmFault.OPERATION_FAILED && fault != ArmFault.OPERATION_SUPERSEDED;
        PoolImage early = atOnce && succeeds ? store(wanted, writer) : null;
        long length = fault == ArmFault.OPERATION_SLOW
                ? chance.between(60, 600) * Timeline.SECONDS
                : chance.between(500, 8000) * Timeline.MILLIS;
        timeline.after(length, () -> {
            if (operation.state() != ArmOperation.State.IN_PROGRESS) {
                return;
            }
            if (loadBalancer.running == operation) {
                loadBalancer.running = null;
            }
            if (!loadBalancer.pools.containsKey(wanted.key().pool())) {
                operation.end(ArmOperation.State.FAILED, null);
            } else if (succeeds) {
                PoolImage result = early != null ? early : store(wanted, writer);
                operation.end(
                        fault == ArmFault.OPERATION_LOST ? ArmOperation.State.LOST : ArmOperation.State.SUCCEEDED,
                        result);
            } else {
                operation.end(
                        fault == ArmFault.OPERATION_FAILED ? ArmOperation.State.FAILED : ArmOperation.State.CANCELED,
                        null);
            }
        });
        return new Answer(202, null, null, null, fault == ArmFault.LOCATION_LOST ? null : operation, null);
    }

    /** What all pools of one name hold together, for those who check. */
    public AddressSet held(PoolKey key) {
        return find(key).map(PoolImage::addresses).orElse(AddressSet.empty());
    }
}
