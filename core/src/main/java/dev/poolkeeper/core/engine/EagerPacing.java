package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Urgency;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A free lane starts the most urgent due pool; lanes take turns while the quota is nearly exhausted. Changes that
 * arrive before a pool has been read are included in the same update.
 */
final class EagerPacing implements Pacing {

    /** How often to try to acquire the resource lock while it is not available. */
    private static final Duration LOCK_ASKED = Duration.ofSeconds(5);

    private final Pace.Eager pace;
    private final Assembly assembly;
    private final OperationQueue queue;
    private final QuotaTurns turns;
    private final Instant begun;
    private volatile Instant lockAskedAgain = Instant.MIN;

    EagerPacing(Pace.Eager pace, Assembly assembly, OperationQueue queue) {
        this.pace = pace;
        this.assembly = assembly;
        this.queue = queue;
        this.turns = new QuotaTurns(assembly.ports().quota(), assembly.known());
        this.begun = now();
    }

    @Override
    public boolean hasNext(Lane lane, Instant now) {
        return !now.isBefore(lockAskedAgain)
                && shutUntil(lane.loadBalancer).isEmpty()
                && (turns.isShort()
                        ? hasTurn(lane, now)
                        : queue.nextEligibleAt(lane.loadBalancer)
                                .filter(eligible -> !eligible.isAfter(now))
                                .isPresent());
    }

    /** Lanes take turns. */
    @Override
    public long place(Lane lane) {
        return lane.turns;
    }

    @Override
    public Optional<PoolKey> next(Lane lane, Instant now) {
        Optional<PoolKey> next = queue.ready(lane.loadBalancer, now).stream()
                .map(Pool::urgency)
                .filter(urgency -> turns.mayStart(urgency.pool()))
                .min(Urgency.order(overdue(now)))
                .map(Urgency::pool);
        next.ifPresent(turns::started);
        return next;
    }

    private boolean hasTurn(Lane lane, Instant now) {
        return queue.ready(lane.loadBalancer, now).stream().anyMatch(pool -> turns.mayStart(pool.key()));
    }

    @Override
    public void shareQuota(boolean isBusy, Instant now) {
        turns.choose(() -> queue.ready(null, now).stream().map(Pool::urgency).toList(), overdue(now), isBusy, now);
    }

    /** What has waited since before this has waited too long. */
    private Instant overdue(Instant now) {
        return now.minus(pace.longestWait());
    }

    @Override
    public boolean isShortOfQuota() {
        return turns.isShort();
    }

    /** An attempt would acquire the resource lock only to send nothing. */
    @Override
    public Optional<Instant> shutUntil(@Nullable ArmName loadBalancer) {
        return assembly.ports().quota().shutUntil(loadBalancer).filter(now()::isBefore);
    }

    /** The first multiple of the interval after now. */
    @Override
    public Optional<Instant> rest() {
        long nanos = pace.interval().toNanos();
        long past = Duration.between(begun, now()).toNanos();
        return Optional.of(begun.plusNanos((Math.floorDiv(past, nanos) + 1) * nanos));
    }

    @Override
    public void lockRefused(Lane lane, Optional<Instant> until) {
        Instant now = now();
        Instant next = now.plus(LOCK_ASKED);
        lockAskedAgain = until.filter(now::isBefore).filter(next::isAfter).orElse(next);
    }

    @Override
    public boolean lockAcquired() {
        boolean isWaitedFor = now().isBefore(lockAskedAgain);
        lockAskedAgain = Instant.MIN;
        return isWaitedFor;
    }

    @Override
    public Optional<Instant> nextStart(Lane lane) {
        Instant earliest =
                turns.isShort() && !hasTurn(lane, now()) ? later(lockAskedAgain, turns.nextChoice()) : lockAskedAgain;
        Instant open = later(earliest, shutUntil(lane.loadBalancer).orElse(earliest));
        return queue.nextEligibleAt(lane.loadBalancer).map(eligible -> later(eligible, open));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private Instant now() {
        return assembly.clock().instant();
    }
}
