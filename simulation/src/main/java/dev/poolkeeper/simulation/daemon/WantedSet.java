package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The addresses that a Service wants in one family, and since when: the contract, section 3, rules 4, 5 and 8. */
final class WantedSet {

    /** How long an unknown node is missing before it counts as one that does not exist, by the process's own clock. */
    static final long MISSING = 60 * Timeline.SECONDS;

    /**
     * The same by the slowest clock, with the time to notice it. The wait starts again at the first sign of life of a
     * watch, which is a bookmark at the latest.
     */
    static final long MISSING_FOR_SURE = 100 * Timeline.SECONDS;

    /**
     * A node that a slice names and that was not seen.
     *
     * @param clock since when, by the monotonic clock of the process's machine
     * @param at the same in true time
     * @param inDoubt whether it may have been seen
     */
    record Missing(long clock, long at, boolean inDoubt) {}

    final Map<IpAddress, Long> since = new TreeMap<>();
    final Map<IpAddress, Long> lastWanted = new HashMap<>();

    /** For how long it was wanted before it left for the last time. */
    final Map<IpAddress, Long> lastLength = new HashMap<>();

    /** Addresses that left while a node was missing, and since when they had been wanted. */
    final Map<IpAddress, Long> kept = new HashMap<>();

    /** When what was kept ceased to be. */
    private final Map<IpAddress, Long> keptUntil = new HashMap<>();

    /** Addresses that left when a node may have been missing, so that the process may have kept them. */
    final Set<IpAddress> mayBeKept = new HashSet<>();

    /** When each address last came to the set, unless it may have been kept until then. */
    final Map<IpAddress, Long> added = new HashMap<>();

    final Map<String, Missing> missing = new TreeMap<>();

    /** What it wanted when its pause began; null while it is not paused. */
    @Nullable
    Map<IpAddress, Long> frozen;

    /** Whether the process may have another view of what was wanted when the pause began. */
    boolean isFrozenInDoubt;

    long frozenAt = -1;
    long resumedAt = -1;
    long lastSliceChange = -1;
    long lastSliceEvent = -1;
    long changed = -1;

    /** When a slice was last there, or was deleted; -1 for never since the Service became local. */
    boolean isSliceSeen;

    /** Whether it may have been complete since the Service became local. */
    boolean wasComplete;

    /** Whether it may be complete. */
    boolean complete;

    /** When it last may have become complete, or ceased to be. */
    long completenessChanged = -1;

    /** When a node last ceased to be missing. */
    long missingEnded = -1;

    /** Whether nothing has been wanted since the set was complete and empty: unknown nodes add nothing to it. */
    boolean empty;

    /** The Service became local: what was before is forgotten. */
    void joins(boolean hasSlice) {
        kept.clear();
        mayBeKept.clear();
        missing.clear();
        isSliceSeen = hasSlice;
        wasComplete = false;
    }

    /**
     * The wanted addresses are these now.
     *
     * @param keeps whether none leaves
     * @param mayKeep whether none may leave
     */
    void change(Set<IpAddress> addresses, boolean keeps, boolean mayKeep, long at) {
        changed = at;
        isFrozenInDoubt |= frozenAt == at;
        since.entrySet().removeIf(entry -> {
            boolean leaves = !addresses.contains(entry.getKey());
            if (leaves) {
                lastWanted.put(entry.getKey(), at);
                lastLength.put(entry.getKey(), at - entry.getValue());
                if (keeps) {
                    kept.put(entry.getKey(), entry.getValue());
                }
                if (mayKeep) {
                    mayBeKept.add(entry.getKey());
                }
            }
            return leaves;
        });
        for (IpAddress address : addresses) {
            Long before = kept.remove(address);
            boolean isNew = since.putIfAbsent(address, before == null ? at : before) == null;
            if (isNew && before == null && !mayBeKept.contains(address)) {
                added.put(address, at);
            }
        }
    }

    /** When one of the wanted addresses was last added; -1 for never. */
    long lastAddition() {
        return since.keySet().stream()
                .mapToLong(address -> added.getOrDefault(address, -1L))
                .max()
                .orElse(-1);
    }

    /**
     * A node is missing. The process may have received the events of this instant in another order, and have kept what
     * left in it.
     */
    void becomesIncomplete(long at) {
        lastWanted.forEach((address, last) -> {
            if (last == at) {
                mayBeKept.add(address);
            }
        });
    }

    /**
     * @param isKnown whether the process knew the Service before, without the pause
     * @param hasKept whether addresses stayed for want of a node, of which the process may have let go by now
     */
    void pause(boolean isKnown, boolean hasKept, long at) {
        Map<IpAddress, Long> all = new TreeMap<>(kept);
        all.putAll(since);
        frozen = all;
        frozenAt = at;
        isFrozenInDoubt = !isKnown || changed == at || hasKept;
    }

    void resume(long at) {
        resumedAt = frozen == null ? resumedAt : at;
        frozen = null;
        isFrozenInDoubt = false;
        frozenAt = -1;
    }

    /** What is wanted for its pool, and since when. */
    Map<IpAddress, Long> asked() {
        Map<IpAddress, Long> atPause = frozen;
        return atPause == null ? since : atPause;
    }

    /** Since when the address has been wanted, or kept for want of a node; {@link Long#MAX_VALUE} if neither. */
    long keptSince(IpAddress address) {
        long wanted = asked().getOrDefault(address, Long.MAX_VALUE);
        return frozen == null ? Math.min(wanted, kept.getOrDefault(address, Long.MAX_VALUE)) : wanted;
    }

    /** All nodes are known: what was kept is not any longer. */
    void keepsNothing(long at) {
        kept.keySet().forEach(address -> keptUntil.put(address, at));
        kept.clear();
    }

    /** When it was last wanted or kept; {@link Long#MAX_VALUE} for now, -1 for never. */
    long lastIntended(IpAddress address) {
        return kept.containsKey(address)
                ? Long.MAX_VALUE
                : Math.max(lastWanted(address), keptUntil.getOrDefault(address, -1L));
    }

    /** When it was last wanted, paused or not; {@link Long#MAX_VALUE} for now, -1 for never. */
    long lastWanted(IpAddress address) {
        return since.containsKey(address) || asked().containsKey(address)
                ? Long.MAX_VALUE
                : lastWanted.getOrDefault(address, -1L);
    }
}
