package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.ports.AddressSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Addresses that the brake holds together, or has let through but that are not removed yet. They stay together until
 * they are removed or wanted again, so that none of them is held for longer than this hold. Guarded by the brake.
 */
final class HeldRemoval {

    /** As it was when its hold began. */
    final BrakedRemoval begun;

    /** It only shrinks: an address to be removed later belongs to another removal. */
    private final List<Part> parts = new ArrayList<>();

    /** Those of its pools when its hold began. */
    final Set<String> namespaces;

    private final Losses others;
    private final boolean wasAllLost;

    /** The namespaces whose part is held. */
    private Set<String> heldIn;

    private boolean letThrough;

    /**
     * @param members the addresses in each pool
     * @param others what would have been lost without it when its hold began
     * @param wasAllLost whether it is held because no address was wanted anywhere
     */
    HeldRemoval(BrakedRemoval begun, Map<PoolLoss, AddressSet> members, Losses others, boolean wasAllLost) {
        this.begun = begun;
        members.forEach((pool, addresses) -> parts.add(new Part(pool, addresses)));
        this.namespaces = parts.stream().map(part -> part.namespace).collect(Collectors.toSet());
        this.others = others;
        this.wasAllLost = wasAllLost;
        this.heldIn = namespaces;
    }

    /** Its pools lose less from now on. */
    void begin() {
        parts.forEach(part -> part.pool.add(part));
    }

    /** The addresses in one pool. */
    final class Part {

        private final PoolLoss pool;
        private final String namespace;

        /** How many addresses the pool contained when the window began, without those whose loss did not count. */
        private final long before;

        private AddressSet addresses;

        private Part(PoolLoss pool, AddressSet addresses) {
            this.pool = pool;
            this.namespace = pool.namespace();
            this.before = pool.countedBefore();
            this.addresses = addresses;
        }

        HeldRemoval removal() {
            return HeldRemoval.this;
        }

        AddressSet addresses() {
            return addresses;
        }

        void keep(Function<AddressSet, AddressSet> some) {
            addresses = some.apply(addresses);
        }

        boolean isEmpty() {
            return addresses.isEmpty();
        }

        private boolean isHeld() {
            return !letThrough && heldIn.contains(namespace);
        }

        /** How many addresses the pool would lose by it. */
        private long lost() {
            return Math.clamp(before - pool.sizeWithout(addresses), 0, addresses.size());
        }

        /** The addresses that it holds: none if the pool would not be smaller than it was, without them. */
        AddressSet held() {
            return isHeld() && lost() > 0 ? addresses : AddressSet.empty();
        }

        /** The addresses that do not count as lost: they were let through, or the pool does not shrink. */
        AddressSet excused() {
            return letThrough || isHeld() && lost() == 0 ? addresses : AddressSet.empty();
        }

        /** The addresses that are held or do not count. */
        AddressSet kept() {
            return letThrough || isHeld() ? addresses : AddressSet.empty();
        }
    }

    boolean isEmpty() {
        return parts.stream().allMatch(Part::isEmpty);
    }

    boolean isLetThrough() {
        return letThrough;
    }

    void letThrough() {
        letThrough = true;
        parts.forEach(part -> part.pool.changed());
    }

    /** Holds the part of these namespaces only. */
    void holdIn(Set<String> some) {
        if (!some.equals(heldIn)) {
            heldIn = some;
            parts.forEach(part -> part.pool.changed());
        }
    }

    /** The namespaces whose part, as it is now, would still have been held when its hold began. */
    Set<String> stillTooLarge(boolean isAnyWanted, BrakeSettings settings) {
        if (wasAllLost && settings.percent() < 100 && !isAnyWanted) {
            return namespaces;
        }
        Losses losses = others.copy(namespaces, settings);
        parts.forEach(part -> losses.add(part.namespace, part.lost(), 0));
        return losses.tooLarge(settings);
    }

    BrakedRemoval describe() {
        long held = parts.stream().mapToLong(part -> part.held().size()).sum();
        return new BrakedRemoval(begun.id(), begun.since(), begun.until(), held, begun.all(), begun.text());
    }
}
