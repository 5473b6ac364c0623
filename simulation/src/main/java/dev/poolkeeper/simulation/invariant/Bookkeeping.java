package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** S10. */
final class Bookkeeping extends Invariant {

    private static final int NOT_FOUND = 404;

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    /** A write whose outcome has to be counted: when its call began, and when it ended. */
    private record EndedWrite(long begun, long at) {}

    /** An outcome that was counted. */
    private record Counted(Place place, Count count) {}

    private record Report(ServiceName service, ServiceEvent.Reason reason) {}

    private static final class Attempt {
        final Set<Count> counts = EnumSet.noneOf(Count.class);
        final Set<Report> reports = new HashSet<>();
    }

    private final Map<Place, Attempt> attempts = new HashMap<>();

    /** Writes that ARM accepted. */
    private final Set<Place> accepted = new HashSet<>();

    /** When the last call of the term began, for each pool. */
    private final Map<Place, Long> begun = new HashMap<>();

    /**
     * When the last attempt for each pool began, with its read: in the model diff it takes up nothing that comes later.
     */
    private final Map<Place, Long> taken = new HashMap<>();

    /** What the last write to each pool contained. */
    private final Map<Place, AddressSet> written = new HashMap<>();

    /** Writes that succeeded, and accepted ones that then failed, until that is counted. */
    private final Map<Place, EndedWrite> ended = new HashMap<>();

    /** When each outcome was counted, until it is reported. */
    private final Map<Counted, Long> unreported = new HashMap<>();

    Bookkeeping(Scene scene) {
        super(
                "S10 bookkeeping",
                "An attempt is counted at most once per outcome and emits each reason at most once per Service, every"
                        + " reported outcome was counted, every counted one is reported, and the failure of every write"
                        + " that ARM accepted and the success of one that left nothing to do are counted.",
                scene);
    }

    @Override
    public void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {
        accepted.remove(new Place(daemon, pool));
        begun.put(new Place(daemon, pool), now());
        if (write) {
            return;
        }
        attempts.put(new Place(daemon, pool), new Attempt());
        taken.put(new Place(daemon, pool), now());
    }

    @Override
    public void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        written.put(new Place(daemon, read.key()), wanted.addresses());
    }

    @Override
    public void answered(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int status) {
        if (purpose != Purpose.WRITE || pool == null) {
            return;
        }
        if (status >= 200 && status < 300) {
            Place place = new Place(daemon, pool);
            if (begun.containsKey(place)) {
                accepted.add(place);
            }
        } else if (status == NOT_FOUND) {
            accepted.remove(new Place(daemon, pool)); // a retry of it found that the pool is gone
        }
    }

    @Override
    public void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {
        boolean isFailure = reply instanceof Reply.Failed<BackendPool>(Failure failure)
                && !(failure instanceof Failure.Cancelled)
                && !(failure instanceof Failure.Throttled);
        boolean isAcceptedFailure = isFailure && accepted.remove(new Place(daemon, pool));
        boolean isSuccess = write
                && begun.containsKey(new Place(daemon, pool))
                && reply instanceof Reply.Ok<BackendPool>(BackendPool now)
                && isAllWanted(daemon, now);
        if ((isAcceptedFailure || isSuccess) && daemon.isLeader()) {
            ended.put(
                    new Place(daemon, pool), new EndedWrite(begun.getOrDefault(new Place(daemon, pool), now()), now()));
        }
    }

    /** Otherwise another writer changed it meanwhile, or a guard holds the rest. */
    private boolean isAllWanted(SimulatedDaemon daemon, BackendPool pool) {
        PoolKey key = pool.key();
        Knowledge knowledge = daemon.knowledge();
        long took = taken.getOrDefault(new Place(daemon, key), now());
        return pool.addresses().equals(knowledge.wantedIn(key))
                && pool.addresses().equals(written.getOrDefault(new Place(daemon, key), AddressSet.empty()))
                && pool.addresses().stream().allMatch(address -> knowledge.wantedSince(key, address) < took)
                && knowledge.lastUnwanted(key) < took
                && !knowledge.isPausedInPart(key)
                && knowledge.isComplete(key);
    }

    @Override
    public void leads(SimulatedDaemon daemon, boolean now) {
        accepted.removeIf(place -> place.daemon().equals(daemon)); // calls of an ended term report nothing
        begun.keySet().removeIf(place -> place.daemon().equals(daemon));
        ended.keySet().removeIf(place -> place.daemon().equals(daemon));
    }

    @Override
    public void killed(SimulatedDaemon daemon) {
        ended.keySet().removeIf(place -> place.daemon().equals(daemon));
        unreported.keySet().removeIf(counted -> counted.place().daemon().equals(daemon));
        written.keySet().removeIf(place -> place.daemon().equals(daemon));
        taken.keySet().removeIf(place -> place.daemon().equals(daemon));
    }

    @Override
    public void afterEvent() {
        unreported.entrySet().removeIf(entry -> {
            boolean isLate = now() > entry.getValue();
            if (isLate) {
                Place place = entry.getKey().place();
                violated(
                        "%s counts %s of %s, and reports it to no Service",
                        place.daemon(), entry.getKey().count(), place.pool());
            }
            return isLate;
        });
        ended.entrySet().removeIf(entry -> {
            SimulatedDaemon daemon = entry.getKey().daemon();
            PoolKey pool = entry.getKey().pool();
            EndedWrite write = entry.getValue();
            boolean mayBeLeft = daemon.isStopping()
                    || !daemon.knowledge().isUsed(pool)
                    || daemon.knowledge().usersSince(pool) >= write.begun();
            boolean isLate = now() > write.at() && !daemon.process().isPaused();
            if (isLate && !mayBeLeft) {
                violated("%s does not count how its write of %s ended", daemon, pool);
            }
            return isLate || mayBeLeft;
        });
    }

    @Override
    public void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {
        if (count == Count.REFUSED) {
            return;
        }
        ended.remove(new Place(daemon, pool));
        unreported.put(new Counted(new Place(daemon, pool), count), now());
        Attempt attempt = attempts.get(new Place(daemon, pool));
        if (attempt == null || !attempt.counts.add(count)) {
            violated("%s counts %s of %s%s", daemon, count, pool, attempt == null ? " without an attempt" : " twice");
        }
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        Count count = switch (event.reason()) {
            case UPDATED -> Count.SUCCEEDED;
            case RETRYING -> Count.RETRIED;
            case FAILED -> Count.FAILED;
            case HELD -> Count.REFUSED;
        };
        if (count == Count.REFUSED) {
            return;
        }
        unreported.remove(new Counted(new Place(daemon, event.pool()), count));
        Attempt attempt = attempts.get(new Place(daemon, event.pool()));
        if (attempt == null || !attempt.counts.contains(count)) {
            violated("%s emits for %s %s, which was not counted", daemon, event.service(), event.reason());
        } else if (!attempt.reports.add(new Report(event.service(), event.reason()))) {
            violated("%s emits for %s %s twice after one attempt", daemon, event.service(), event.reason());
        }
    }
}
