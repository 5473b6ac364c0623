package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.ports.AddressSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Addresses that the brake holds together, or has let through but that are not removed yet. They stay together until
 * they are removed or wanted again, so that none of them is held for longer than this hold. Guarded by the brake.
 */
final class HeldRemoval {

    /** As it was when its hold began. */
    final BrakedRemoval begun;

    /**
     * Of whomever its addresses belong to: another namespace of a pool may come to lose too much by them. Addresses are
     * never added: one to be removed later belongs to another removal.
     */
    private final List<Part> parts = new ArrayList<>();

    /** Those that would have lost too much when its hold began. */
    final Set<String> namespaces;

    private final Losses others;
    private final boolean wasAllLost;

    /** The namespaces whose part is held. */
    private Set<String> heldIn;

    private boolean letThrough;

    /**
     * @param members the addresses of each stake
     * @param others what would have been lost without it when its hold began, as far as it is judged together
     * @param wasAllLost whether it is held because no address was wanted anywhere
     */
    HeldRemoval(BrakedRemoval begun, Map<Stake, AddressSet> members, Losses others, boolean wasAllLost) {
        this.begun = begun;
        this.namespaces =
                members.keySet().stream().map(stake -> stake.namespace).collect(Collectors.toSet());
        this.others = others;
        this.wasAllLost = wasAllLost;
        this.heldIn = namespaces;
        byPool(members).forEach(this::consistsOf);
    }

    /** These are its addresses in a pool. The pool loses less from now on. */
    void consistsOf(PoolLoss pool, AddressSet addresses) {
        for (Stake stake : pool.stakes) {
            AddressSet its = stake.of(addresses);
            Optional<Part> known = pool.parts.stream()
                    .filter(part -> part.stake == stake && part.removal() == this)
                    .findFirst();
            if (known.isPresent()) {
                known.get().addresses = its;
            } else if (!its.isEmpty()) {
                Part part = new Part(stake, its);
                parts.add(part);
                pool.add(part);
            }
        }
    }

    /** The addresses of one namespace in one pool. */
    final class Part {

        /** What becomes of its addresses. */
        enum State {
            /** They are judged with what else goes. */
            GOES,
            HELD,
            /** They are not held: the stake does not become smaller than it was. Their loss does not count. */
            REPLACED,
            /** They are not held any longer. Their loss does not count. */
            LET_THROUGH
        }

        final Stake stake;

        /** How many addresses it had when the window began, without those whose loss did not count. */
        private final long before;

        AddressSet addresses;

        private Part(Stake stake, AddressSet addresses) {
            this.stake = stake;
            this.before = stake.countedBefore();
            this.addresses = addresses;
        }

        HeldRemoval removal() {
            return HeldRemoval.this;
        }

        State state() {
            if (letThrough) {
                return State.LET_THROUGH;
            }
            return !heldIn.contains(stake.namespace) ? State.GOES : lost() > 0 ? State.HELD : State.REPLACED;
        }

        boolean isHeld() {
            return state() == State.HELD;
        }

        /** How many addresses the stake would lose by it. */
        private long lost() {
            return Math.clamp(before - stake.sizeWithout(addresses), 0, addresses.size());
        }
    }

    boolean isEmpty() {
        return parts.stream().allMatch(part -> part.addresses.isEmpty());
    }

    boolean isLetThrough() {
        return letThrough;
    }

    void letThrough() {
        letThrough = true;
        parts.forEach(part -> part.stake.pool.changed());
    }

    /** Holds the part of these namespaces only. */
    void holdIn(Set<String> some) {
        if (!some.equals(heldIn)) {
            heldIn = some;
            parts.forEach(part -> part.stake.pool.changed());
        }
    }

    /** Returns whether it holds more now. */
    boolean holdAlsoIn(Set<String> some) {
        if (heldIn.containsAll(some)) {
            return false;
        }
        Set<String> more = new HashSet<>(heldIn);
        more.addAll(some);
        holdIn(more);
        return true;
    }

    /** The namespaces whose part, as it is now, would still have been held when its hold began. */
    Set<String> stillTooLarge(boolean isAnyWanted, BrakeSettings settings) {
        if (wasAllLost && settings.percent() < 100 && !isAnyWanted) {
            return namespaces;
        }
        Losses losses = others.copy();
        parts.stream()
                .filter(part -> namespaces.contains(part.stake.namespace))
                .forEach(part -> losses.add(part.stake.namespace, part.lost(), 0));
        return losses.tooLarge(settings);
    }

    /** How many addresses of pools these are: one that belongs to several namespaces is one. */
    static long count(Map<Stake, AddressSet> members) {
        return byPool(members).values().stream().mapToLong(AddressSet::size).sum();
    }

    static Map<PoolLoss, AddressSet> byPool(Map<Stake, AddressSet> members) {
        Map<PoolLoss, AddressSet> byPool = new HashMap<>();
        members.forEach((stake, addresses) -> byPool.merge(stake.pool, addresses, AddressSet::union));
        return byPool;
    }

    BrakedRemoval describe() {
        long held = count(parts.stream()
                .filter(Part::isHeld)
                .collect(Collectors.toMap(part -> part.stake, part -> part.addresses)));
        return new BrakedRemoval(begun.id(), begun.since(), begun.until(), held, begun.all(), begun.loss());
    }
}
