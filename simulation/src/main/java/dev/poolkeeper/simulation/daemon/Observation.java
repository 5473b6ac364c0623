package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.cluster.LockHistory;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened in a simulation: what a daemon says about itself is a {@link Published} fact; the rest was
 * seen from outside, on the wire, in Azure or in the cluster.
 */
public sealed interface Observation {

    // --- processes ---

    record Started(SimulatedDaemon daemon) implements Observation {}

    record Killed(SimulatedDaemon daemon) implements Observation {}

    /** A thread of the daemon ended with an exception. */
    record Failed(SimulatedDaemon daemon, Throwable error) implements Observation {}

    /** A daemon logged a line. */
    record Logged(String line) implements Observation {}

    /** Leadership was won or lost. */
    record Leads(SimulatedDaemon daemon, boolean now) implements Observation {}

    record Published(SimulatedDaemon daemon, Fact fact) implements Observation {}

    /** An Event is about to be written. */
    record Reported(SimulatedDaemon daemon, ServiceEvent event) implements Observation {}

    /** The budget decided on a retry inside a call. */
    record Withdrew(SimulatedDaemon daemon, boolean admitted) implements Observation {}

    /** A first attempt inside a call was deposited into the budget. */
    record Deposited(SimulatedDaemon daemon) implements Observation {}

    /** A listing of load balancers begins. */
    record ListingBegan(SimulatedDaemon daemon) implements Observation {}

    record ListingEnded(SimulatedDaemon daemon, boolean well) implements Observation {}

    // --- Azure ---

    /** A request is sent. */
    record Sent(
            SimulatedDaemon daemon,
            Purpose purpose,
            @Nullable PoolKey pool,
            int attempt) implements Observation {}

    /** A response arrives; status 0 if there is none. */
    record Answered(
            SimulatedDaemon daemon,
            Purpose purpose,
            @Nullable PoolKey pool,
            int status) implements Observation {}

    /** A 429 arrived: no request of the kind may be sent before that instant, by the daemon's clock. */
    record Shut(SimulatedDaemon daemon, boolean writes, Instant until) implements Observation {}

    /** A 429 arrived because the load balancer is busy: no write to it may be sent before that instant. */
    record Busy(SimulatedDaemon daemon, ArmName loadBalancer, Instant until) implements Observation {}

    /**
     * A response said how much is left of one kind of quota.
     *
     * @param isCut whether its body was cut: then the daemon may or may not have read its headers
     */
    record QuotaLeft(SimulatedDaemon daemon, String kind, long left, boolean isCut) implements Observation {}

    /** An error arrived that named the instant from which the request may be repeated, by the daemon's clock. */
    record RepeatableFrom(SimulatedDaemon daemon, Purpose purpose, PoolKey pool, Instant until)
            implements Observation {}

    /**
     * An operation is polled after a wait that ARM asked for.
     *
     * @param until the end of the wait, by the daemon's clock
     * @param since when ARM asked for it
     */
    record Polled(SimulatedDaemon daemon, String operation, Instant until, long since) implements Observation {}

    /** An operation is polled although ARM has reported its end. */
    record PolledAgain(SimulatedDaemon daemon, String operation) implements Observation {}

    /** A write is about to be sent. */
    record Put(
            SimulatedDaemon daemon,
            PoolImage read,
            PoolImage wanted,
            @Nullable String ifMatch) implements Observation {}

    /** The adapter's write has ended. */
    record WriteOver(SimulatedDaemon daemon, PoolKey pool) implements Observation {}

    /** The content of a pool changed. */
    record Written(PoolImage before, PoolImage after, String writer) implements Observation {}

    // --- the cluster ---

    /**
     * The last request about this ended, so that another one is due.
     *
     * @param worked whether it had shown that requests succeed again, so that the next one need not wait
     */
    record Due(SimulatedDaemon daemon, Subject subject, boolean worked) implements Observation {}

    /** A request about this is sent. */
    record Asked(SimulatedDaemon daemon, Subject subject) implements Observation {}

    /** A watch is requested from a version; the last event or list that was received had another one, or the same. */
    record Watched(SimulatedDaemon daemon, Subject subject, long from, long received) implements Observation {}

    /** The API server ended a watch. */
    record WatchEnded(SimulatedDaemon daemon, int status) implements Observation {}

    /** The condition of a Pod's gate is about to be set. */
    record GateSent(SimulatedDaemon daemon, GatePatch patch) implements Observation {}

    /** The API server accepted it. */
    record GateAccepted(SimulatedDaemon daemon, GatePatch patch) implements Observation {}

    /**
     * The status of a retry policy is about to be written.
     *
     * @param isNews whether it differs from that of the object that was received
     * @param isDated whether the time of a condition's transition changes if and only if its status does
     */
    record StatusSent(SimulatedDaemon daemon, String policy, boolean isNews, boolean isDated) implements Observation {}

    /** The API server accepted a holder of the resource lock. */
    record LockTaken(LockHistory.@Nullable Hold before, LockHistory.Hold now) implements Observation {}

    /** A daemon released the resource lock, and left this duration in its Lease; 0 for none. */
    record LockReleased(LockHistory.Hold hold, int seconds) implements Observation {}
}
