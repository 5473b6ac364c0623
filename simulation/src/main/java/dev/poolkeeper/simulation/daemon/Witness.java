package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Is notified of everything that a daemon does, as it happens. */
public interface Witness {

    /** The outcomes that the updater counts. */
    enum Count {
        SUCCEEDED,
        FAILED,
        RETRIED,
        REFUSED
    }

    /** A process started. */
    default void started(SimulatedDaemon daemon) {}

    /** A process was killed. */
    default void killed(SimulatedDaemon daemon) {}

    /** The updater starts a read or a write. */
    default void callBegins(SimulatedDaemon daemon, boolean write, PoolKey pool) {}

    /** The updater receives the result. */
    default void callEnds(SimulatedDaemon daemon, boolean write, PoolKey pool, Reply<BackendPool> reply) {}

    /** A request is sent. */
    default void sent(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int attempt) {}

    /** A response arrives; status 0 if there is none. */
    default void answered(SimulatedDaemon daemon, Purpose purpose, @Nullable PoolKey pool, int status) {}

    /** A 429 arrived: no request of the kind may be sent before that instant, by the daemon's clock. */
    default void shut(SimulatedDaemon daemon, boolean writes, Instant until) {}

    /**
     * A response said how much is left of one kind of quota.
     *
     * @param isCut whether its body was cut: then the daemon may or may not have read its headers
     */
    default void quotaLeft(SimulatedDaemon daemon, String kind, long left, boolean isCut) {}

    /** A 429 arrived because the load balancer is busy: no write to it may be sent before that instant. */
    default void busy(SimulatedDaemon daemon, ArmName loadBalancer, Instant until) {}

    /** An error arrived that named the instant from which the request may be repeated, by the daemon's clock. */
    default void repeatableFrom(SimulatedDaemon daemon, Purpose purpose, PoolKey pool, Instant until) {}

    /**
     * An operation is polled after a wait that ARM asked for.
     *
     * @param until the end of the wait, by the daemon's clock
     * @param since when ARM asked for it
     */
    default void polled(SimulatedDaemon daemon, String operation, Instant until, long since) {}

    /** An operation is polled although ARM has reported its end. */
    default void polledAgain(SimulatedDaemon daemon, String operation) {}

    /** A write is about to be sent. */
    default void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {}

    /** A write has ended for the daemon. */
    default void writeOver(SimulatedDaemon daemon, PoolKey pool) {}

    /** The budget decided on a retry. */
    default void withdrew(SimulatedDaemon daemon, boolean admitted) {}

    /** A first attempt was deposited into the budget. */
    default void deposited(SimulatedDaemon daemon) {}

    default void event(SimulatedDaemon daemon, ServiceEvent event) {}

    default void counted(SimulatedDaemon daemon, Count count, PoolKey pool) {}

    /** A thread of the daemon ended with an exception. */
    default void failed(SimulatedDaemon daemon, Throwable error) {}

    /**
     * The last request about this ended, so that another one is due.
     *
     * @param worked whether it had shown that requests succeed again, so that the next one need not wait
     */
    default void isDue(SimulatedDaemon daemon, Subject subject, boolean worked) {}

    /** A request about this is sent. */
    default void asked(SimulatedDaemon daemon, Subject subject) {}

    /** A watch is requested from a version; the last event or list that was received had another one, or the same. */
    default void watches(SimulatedDaemon daemon, Subject subject, long from, long received) {}

    /** A listing of load balancers begins. */
    default void listingBegins(SimulatedDaemon daemon) {}

    /** It ended. */
    default void listingEnds(SimulatedDaemon daemon, boolean well) {}

    /** Leadership was won or lost. */
    default void leads(SimulatedDaemon daemon, boolean now) {}

    /** The condition of a Pod's gate is about to be set. */
    default void gateSent(SimulatedDaemon daemon, GatePatch patch) {}

    /** The API server accepted it. */
    default void gateAccepted(SimulatedDaemon daemon, GatePatch patch) {}

    /**
     * The status of a retry policy is about to be written.
     *
     * @param isNews whether it differs from that of the object that was received
     * @param isDated whether the time of a condition's transition changes if and only if its status does
     */
    default void statusSent(SimulatedDaemon daemon, String policy, boolean isNews, boolean isDated) {}

    /** The API server ended a watch. */
    default void watchEnded(SimulatedDaemon daemon, int status) {}
}
