package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The listings of the load balancers, one at a time: when the next one is due, which Services were edited since the
 * last one, and how that ended. Thread-safe: guarded by the lock of the {@link Pools}, which is not held while the
 * directory is called.
 */
final class Listings {

    private static final Logger log = LoggerFactory.getLogger(Listings.class);

    private final PoolDirectory directory;
    private final Pools lock;
    private final ListingTimes times;
    private final Set<ServiceName> edited = new HashSet<>();
    private final Set<ServiceName> taken = new HashSet<>();
    private final InterruptibleCall call = new InterruptibleCall();
    private boolean inProgress;

    // written by the listing in progress only
    private volatile @Nullable Instant last;
    private volatile @Nullable Failure failure;

    Listings(Assembly assembly) {
        EngineSettings settings = assembly.settings();
        this.directory = assembly.ports().directory();
        this.lock = assembly.known();
        this.times = new ListingTimes(settings.directoryRefresh(), settings.listingWaits());
    }

    /** Requests one as soon as possible. */
    void ask() {
        synchronized (lock) {
            times.ask();
        }
    }

    /** A Service changed: it is compared after the next listing, which it may bring forward. */
    void edited(ServiceName service, Instant now) {
        synchronized (lock) {
            edited.add(service);
            times.ask(service, now);
        }
    }

    /** A call for the pool of these Services was answered with 404: it is compared after the next listing. */
    void notFound(Collection<ServiceName> services, Instant now) {
        synchronized (lock) {
            edited.addAll(services);
            times.notFound(services, now);
        }
    }

    /** There is nothing to compare for this Service, whenever a listing succeeds again. */
    void gone(ServiceName service) {
        synchronized (lock) {
            edited.remove(service);
            taken.remove(service);
        }
    }

    int editedServices() {
        synchronized (lock) {
            return edited.size();
        }
    }

    /** When the next one is due; may be in the past. */
    Instant next() {
        synchronized (lock) {
            return times.next();
        }
    }

    /** Whether none is in progress; then this one is, until {@link #end}. */
    boolean begin() {
        synchronized (lock) {
            boolean begins = !inProgress;
            inProgress = true;
            return begins;
        }
    }

    void end() {
        synchronized (lock) {
            inProgress = false;
        }
    }

    boolean isInProgress() {
        synchronized (lock) {
            return inProgress;
        }
    }

    /** A call to the directory begins. Returns the Services that were edited before. */
    Set<ServiceName> takeEdited(Instant now) {
        synchronized (lock) {
            times.begins(now);
            taken.clear();
            taken.addAll(edited);
            edited.clear();
            return Set.copyOf(taken);
        }
    }

    /** Those that were taken were not compared; they are by the next one, unless they are gone. */
    void restoreEdited() {
        synchronized (lock) {
            edited.addAll(taken);
        }
    }

    Reply<List<BackendPool>> list(Instant now, BooleanSupplier mayStart) {
        return call.call(now, mayStart, directory::list);
    }

    /** Interrupts the call in progress. */
    void interrupt() {
        call.interrupt();
    }

    void failed(Failure now, Instant at) {
        synchronized (lock) {
            times.failed(at);
        }
        Failure before = failure;
        failure = now;
        log.atLevel(before != null && now.repeats(before) ? Level.DEBUG : Level.WARN)
                .addKeyValue("failure", now.describe())
                .addKeyValue("nextListing", next())
                .log("Listing the load balancers failed");
    }

    /** The directory answered. */
    void answered(int pools) {
        if (failure != null) {
            failure = null;
            log.atInfo().addKeyValue("pools", pools).log("Load balancers can be listed again");
        }
    }

    /**
     * What was listed is known.
     *
     * @param begun when the listing began
     * @param withoutPool the local Services whose pool was not found, or not by the last call for it
     */
    void succeeded(Instant begun, Collection<ServiceName> withoutPool, Instant now) {
        synchronized (lock) {
            times.succeeded(now, withoutPool);
        }
        last = begun;
    }

    /** When the last one that succeeded began. */
    Optional<Instant> last() {
        return Optional.ofNullable(last);
    }

    /** Why the last one failed; empty if it succeeded. */
    Optional<Failure> failure() {
        return Optional.ofNullable(failure);
    }
}
