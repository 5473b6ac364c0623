package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done for one pool: the operations that wait, and those that a lane has in hand. Immutable.
 *
 * <p>Those that wait do so in one of three ways: an operation has its own {@code nextEligibleAt}; a hold delays those
 * that wait when it begins; a rest also those that arrive later.
 */
public final class Backlog {

    /** Nothing is to be done. */
    public static final Backlog NONE = new Backlog();

    /** So many that it is worth looking for redundant ones. */
    private static final int MANY = 64;

    // assigned once, in the copy that a change makes
    private Waiting waiting = Waiting.NONE;
    private @Nullable OperationGroup inHand;
    private Instant restsUntil = Instant.MIN;
    private Instant notBefore = Instant.MIN;
    private Instant letGo = Instant.MIN;
    private int shortenAt = MANY;
    private boolean heldByGuard;
    private boolean kept;

    private Backlog() {}

    private Backlog with(Consumer<Backlog> change) {
        Backlog copy = new Backlog();
        copy.waiting = waiting;
        copy.inHand = inHand;
        copy.restsUntil = restsUntil;
        copy.notBefore = notBefore;
        copy.letGo = letGo;
        copy.shortenAt = shortenAt;
        copy.heldByGuard = heldByGuard;
        copy.kept = kept;
        change.accept(copy);
        return copy;
    }

    @SuppressWarnings("ReferenceEquality") // what a change leaves alone is the same object
    boolean hasSameOperations(Backlog other) {
        return other.waiting == waiting && other.inHand == inHand && other.letGo.equals(letGo);
    }

    /** Whether nothing is to be done, and what arrives need not rest. */
    boolean isEmpty() {
        return waiting.isEmpty() && inHand == null && restsUntil.equals(Instant.MIN);
    }

    // --- the operations ---

    /** The operations that wait, in order of their sequence. */
    public List<PendingOperation> waiting() {
        return waiting.list();
    }

    /** The number of operations that wait. */
    public int size() {
        return waiting.size();
    }

    /** The operations that a lane has taken and not finished; null for none. */
    public @Nullable OperationGroup inHand() {
        return inHand;
    }

    /** The operations in hand, then those that wait. */
    public List<PendingOperation> pending() {
        if (inHand == null) {
            return waiting.list();
        }
        List<PendingOperation> pending = new ArrayList<>(inHand.operations());
        pending.addAll(waiting.list());
        return List.copyOf(pending);
    }

    /** With an operation behind those that wait; of many, without what later ones make {@link Redundant}. */
    public Backlog appended(PendingOperation operation) {
        return with(backlog -> {
            backlog.waiting = waiting.and(operation);
            if (backlog.waiting.size() >= shortenAt) {
                backlog.waiting = Waiting.of(Redundant.without(backlog.waiting.list()));
                backlog.shortenAt = Math.max(MANY, 2 * backlog.waiting.size()); // so adding costs little on average
            }
        });
    }

    /** Whether the Service has an {@link Operation.Sync} that waits. */
    public boolean hasSync(ServiceName service) {
        return indexOfSync(waiting.list(), service) >= 0;
    }

    private static int indexOfSync(List<PendingOperation> operations, ServiceName service) {
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i).operation() instanceof Operation.Sync sync
                    && sync.service().equals(service)) {
                return i;
            }
        }
        return -1;
    }

    /** The wanted set of a Service changed that has an {@link Operation.Sync} that waits. */
    public Backlog changed(ServiceName service, Instant time) {
        List<PendingOperation> now = new ArrayList<>(waiting.list());
        int index = indexOfSync(now, service);
        now.set(index, now.get(index).changed(time));
        return with(backlog -> backlog.waiting = Waiting.of(now));
    }

    /** A lane takes the operations that wait, at least one; what arrives from now on waits for a rest only. */
    Backlog taken(PoolKey pool) {
        return with(backlog -> {
            backlog.inHand = new OperationGroup(pool, waiting.list());
            backlog.waiting = Waiting.NONE;
            backlog.notBefore = restsUntil;
        });
    }

    /** What was taken is no longer in hand. */
    public Backlog finished() {
        return with(backlog -> {
            backlog.inHand = null;
            backlog.forgetAttempts();
        });
    }

    /** With operations back in front of those that arrived in the meantime; two {@link Operation.Sync} become one. */
    public Backlog returned(List<PendingOperation> operations) {
        List<PendingOperation> newer = new ArrayList<>(waiting.list());
        List<PendingOperation> all = new ArrayList<>(operations.size() + newer.size());
        for (PendingOperation operation : operations) {
            int again = operation.operation() instanceof Operation.Sync sync ? indexOfSync(newer, sync.service()) : -1;
            all.add(again < 0 ? operation : operation.yieldTo(newer.remove(again)));
        }
        all.addAll(newer);
        return with(backlog -> backlog.waiting = Waiting.of(all));
    }

    /** Without some of the operations that wait. */
    public Backlog without(Predicate<PendingOperation> condition) {
        List<PendingOperation> rest = new ArrayList<>(waiting.list());
        rest.removeIf(condition);
        return with(backlog -> {
            backlog.waiting = Waiting.of(rest);
            if (rest.isEmpty()) {
                backlog.notBefore = restsUntil;
            }
            backlog.forgetAttempts();
        });
    }

    /** Nothing is left that an earlier attempt may have been about. */
    private void forgetAttempts() {
        if (waiting.isEmpty() && inHand == null) {
            heldByGuard = false;
            kept = false;
            letGo = Instant.MIN;
            shortenAt = MANY;
            notBefore = restsUntil;
        }
    }

    /** Without anything that a term had to do. */
    public Backlog idle() {
        return with(backlog -> {
            backlog.waiting = Waiting.NONE;
            backlog.inHand = null;
            backlog.restsUntil = Instant.MIN;
            backlog.forgetAttempts();
        });
    }

    // --- until when they wait ---

    /** Delays all operations until the given time, including those that arrive later. */
    public Backlog resting(Instant until) {
        return with(backlog -> {
            backlog.restsUntil = until;
            backlog.notBefore = until;
        });
    }

    /** The same, unless its rest is not over. */
    Backlog rested(Instant now) {
        return restsUntil.isAfter(now) ? this : with(backlog -> backlog.restsUntil = Instant.MIN);
    }

    /** Holds the operations that wait now until the given time or {@link #released}. */
    public Backlog holding(Instant until, boolean byGuard) {
        return with(backlog -> {
            backlog.heldByGuard = byGuard;
            backlog.letGo = byGuard ? until : letGo;
            backlog.notBefore = later(restsUntil, until);
        });
    }

    /** Ends {@link #holding}. */
    public Backlog released(Instant now) {
        return with(backlog -> {
            backlog.letGo = heldByGuard && letGo.isAfter(now) ? now : letGo;
            backlog.heldByGuard = false;
            backlog.notBefore = restsUntil;
        });
    }

    /** Since when no guard has held the operations that wait; after now while one holds them. */
    Instant letGo() {
        return letGo;
    }

    /** Whether a guard holds the operations that wait. */
    public boolean isHeldByGuard() {
        return heldByGuard;
    }

    /** Whether the last attempt came to no end. */
    public boolean isKept() {
        return kept;
    }

    public Backlog withKept(boolean now) {
        return kept == now ? this : with(backlog -> backlog.kept = now);
    }

    /**
     * When all operations that wait may be tried; {@link Instant#MIN} for immediately, {@link Instant#MAX} if none
     * waits.
     *
     * @param gather how long it waits after its first change that no update has taken up, to batch further changes
     */
    public Instant eligibleAt(Duration gather) {
        if (waiting.isEmpty()) {
            return Instant.MAX;
        }
        List<PendingOperation> operations = waiting.list();
        Instant latest = notBefore;
        for (PendingOperation pending : operations) {
            Instant its = pending.nextEligibleAt();
            latest = its == null ? latest : later(latest, its);
        }
        Instant first = gather.isZero() ? null : OperationGroup.notTakenUp(operations);
        return first == null ? latest : later(latest, first.plus(gather));
    }

    /** Until when the operations that wait rest or gather; empty if they do not, or a guard holds them. */
    public Optional<Instant> waitsUntil(Duration gather, Instant now) {
        return Optional.of(eligibleAt(gather))
                .filter(at -> !heldByGuard && at.isAfter(now) && at.isBefore(Instant.MAX));
    }

    static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
