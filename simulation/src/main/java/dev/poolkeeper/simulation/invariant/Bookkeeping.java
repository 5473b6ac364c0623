package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Reason;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.daemon.Knowledge;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** S10. */
final class Bookkeeping extends Invariant {

    private static final int NOT_FOUND = 404;

    private record Place(SimulatedDaemon daemon, PoolKey pool) {}

    /** A write whose outcome has to be counted: when its call began, and when it ended. */
    private record EndedWrite(long begun, long at) {}

    /** An outcome that was counted. */
    private record Counted(Place place, Reason outcome) {}

    private record Report(ServiceName service, Reason reason) {}

    private static final class Attempt {
        final Set<Reason> counts = EnumSet.noneOf(Reason.class);
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
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(SimulatedDaemon daemon, Fact fact) ->
                published(new Place(daemon, fact.pool()), fact);
            case Observation.Put put ->
                written.put(
                        new Place(put.daemon(), put.read().key()), put.wanted().addresses());
            case Observation.Answered(var daemon, var purpose, var pool, int status)
            when purpose == Purpose.WRITE && pool != null -> answered(new Place(daemon, pool), status);
            case Observation.Reported(SimulatedDaemon daemon, ServiceEvent event)
            when event.reason() != Reason.HELD -> reported(daemon, event);
            case Observation.Leads leads -> termEnds(leads.daemon());
            case Observation.Killed(SimulatedDaemon daemon) -> killed(daemon);
            default -> {}
        }
    }

    private void published(Place place, Fact fact) {
        switch (fact) {
            case Fact.CallBegins call -> {
                accepted.remove(place);
                begun.put(place, now());
                if (call instanceof Fact.Began) {
                    attempts.put(place, new Attempt());
                    taken.put(place, now());
                }
            }
            case Fact.CallEnded call -> callEnds(place, call);
            case Fact.Updated updated -> counted(place, Reason.UPDATED);
            case Fact.GaveUp gaveUp -> counted(place, Reason.FAILED);
            case Fact.Retrying retrying -> counted(place, Reason.RETRYING);
            default -> {}
        }
    }

    private void answered(Place place, int status) {
        if (status >= 200 && status < 300) {
            if (begun.containsKey(place)) {
                accepted.add(place);
            }
        } else if (status == NOT_FOUND) {
            accepted.remove(place); // a retry of it found that the pool is gone
        }
    }

    private void callEnds(Place place, Fact.CallEnded call) {
        boolean isFailure = call.reply() instanceof Reply.Failed<BackendPool>(Failure failure)
                && !(failure instanceof Failure.Cancelled)
                && !(failure instanceof Failure.Throttled);
        boolean isAcceptedFailure = isFailure && accepted.remove(place);
        boolean isSuccess = call instanceof Fact.WriteEnded
                && begun.containsKey(place)
                && call.reply() instanceof Reply.Ok<BackendPool>(BackendPool now)
                && isAllWanted(place.daemon(), now);
        if ((isAcceptedFailure || isSuccess) && place.daemon().isLeader()) {
            ended.put(place, new EndedWrite(begun.getOrDefault(place, now()), now()));
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

    private void termEnds(SimulatedDaemon daemon) {
        accepted.removeIf(place -> place.daemon().equals(daemon)); // calls of an ended term report nothing
        begun.keySet().removeIf(place -> place.daemon().equals(daemon));
        ended.keySet().removeIf(place -> place.daemon().equals(daemon));
    }

    private void killed(SimulatedDaemon daemon) {
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
                        place.daemon(), entry.getKey().outcome(), place.pool());
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

    private void counted(Place place, Reason outcome) {
        ended.remove(place);
        unreported.put(new Counted(place, outcome), now());
        Attempt attempt = attempts.get(place);
        if (attempt == null || !attempt.counts.add(outcome)) {
            violated(
                    "%s counts %s of %s%s",
                    place.daemon(), outcome, place.pool(), attempt == null ? " without an attempt" : " twice");
        }
    }

    private void reported(SimulatedDaemon daemon, ServiceEvent event) {
        Place place = new Place(daemon, event.pool());
        unreported.remove(new Counted(place, event.reason()));
        Attempt attempt = attempts.get(place);
        if (attempt == null || !attempt.counts.contains(event.reason())) {
            violated("%s emits for %s %s, which was not counted", daemon, event.service(), event.reason());
        } else if (!attempt.reports.add(new Report(event.service(), event.reason()))) {
            violated("%s emits for %s %s twice after one attempt", daemon, event.service(), event.reason());
        }
    }
}
