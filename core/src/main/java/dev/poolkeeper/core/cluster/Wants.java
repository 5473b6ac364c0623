package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the local Services of one pool, nearly always one, want in it. Immutable. */
public final class Wants {

    /** No Service is local with the pool. */
    public static final Wants NONE = new Wants(List.of());

    private static final Comparator<Share> BY_SERVICE =
            Comparator.comparing(share -> share.want().service());

    /** In order of the Services' names. */
    private final List<Share> shares;

    /**
     * @param frozen what the Service wanted when its pause began, and until it was adopted if that was later; null
     *     while it is not paused
     */
    private record Share(Want want, @Nullable AddressSet frozen) {

        /** What counts of it when another Service's changes are written to the pool. */
        AddressSet counted() {
            return frozen == null ? want.wanted() : frozen;
        }
    }

    private Wants(List<Share> shares) {
        this.shares = List.copyOf(shares);
    }

    /** With this one in place of what its Service wanted before. */
    public Wants with(Want now) {
        List<Share> next = new ArrayList<>(shares);
        Share before = share(now.service());
        next.remove(before);
        next.add(new Share(now, frozen(before, now)));
        next.sort(BY_SERVICE);
        return new Wants(next);
    }

    private static @Nullable AddressSet frozen(@Nullable Share before, Want now) {
        if (!now.paused()) {
            return null;
        }
        if (before == null || before.frozen() == null) {
            boolean begins =
                    before != null && before.want().seen() && !before.want().paused();
            return begins || now.adopted() ? now.wanted() : null;
        }
        return before.want().adopted() ? before.frozen() : before.frozen().union(now.wanted());
    }

    /** Without this Service, which is no longer local with the pool. */
    public Wants without(ServiceName service) {
        List<Share> next = new ArrayList<>(shares);
        next.removeIf(share -> share.want().service().equals(service));
        return next.isEmpty() ? NONE : new Wants(next);
    }

    public boolean isEmpty() {
        return shares.isEmpty();
    }

    /** All of them, in order of their Services' names. */
    public List<Want> all() {
        return each(want -> want);
    }

    /** The first of them; there is one. */
    public Want first() {
        return shares.get(0).want();
    }

    /** The Services, in order of their names. */
    public List<ServiceName> services() {
        return each(Want::service);
    }

    private <T> List<T> each(Function<Want, T> part) {
        return shares.size() == 1
                ? List.of(part.apply(first())) // nearly always
                : shares.stream().map(share -> part.apply(share.want())).toList();
    }

    private @Nullable Share share(ServiceName service) {
        for (Share share : shares) {
            if (share.want().service().equals(service)) {
                return share;
            }
        }
        return null;
    }

    /**
     * Whether the Service is local with the pool, and a slice of it was seen, so that updates for it apply. An update
     * from before the first slice dates from an earlier time in which the Service was local.
     */
    public boolean isSeen(ServiceName service) {
        Share share = share(service);
        return share != null && share.want().seen();
    }

    /** Whether the Service's set has been complete. Until then its updates remove nothing from the pool. */
    public boolean isAdopted(ServiceName service) {
        Share share = share(service);
        return share != null && share.want().adopted();
    }

    public boolean isAnyPaused() {
        return any(Want::paused);
    }

    public boolean isPaused(ServiceName service) {
        Share share = share(service);
        return share != null && share.want().paused();
    }

    /** The addresses that the Service wants; none if it is not local with the pool. */
    public AddressSet wanted(ServiceName service) {
        Share share = share(service);
        return share == null ? AddressSet.empty() : share.want().wanted();
    }

    /**
     * The addresses that the other Services want, complete or not; of one that is paused, those that it wanted when its
     * pause began, and until it was adopted if that was later.
     */
    public AddressSet wantedByOthers(ServiceName service) {
        AddressSet wanted = AddressSet.empty();
        for (Share share : shares) {
            if (!share.want().service().equals(service)) {
                wanted = wanted.union(share.counted());
            }
        }
        return wanted;
    }

    /** The union of the addresses that the Services want. */
    public AddressSet union() {
        AddressSet union = AddressSet.empty();
        for (Share share : shares) {
            union = union.union(share.want().wanted());
        }
        return union;
    }

    /**
     * What a pool that holds these addresses should hold. As long as none of the sets has ever been complete, nothing
     * is removed.
     */
    public AddressSet in(AddressSet held) {
        return isAnyAdopted() ? union() : union().union(held);
    }

    /** Whether the pool needs no update while it holds these addresses; see {@link #in}. */
    public boolean agrees(AddressSet held) {
        AddressSet wanted = union();
        return isAnyAdopted() ? wanted.equals(held) : wanted.common(held) == wanted.size();
    }

    /**
     * Whether the Services that are not paused need no update while the pool holds these addresses; what a paused one
     * wanted when its pause began may stay.
     */
    public boolean agreesUnlessPaused(AddressSet held) {
        Wants going = new Wants(
                shares.stream().filter(share -> !share.want().paused()).toList());
        AddressSet wanted = going.union();
        AddressSet kept = AddressSet.empty();
        for (Share share : shares) {
            kept = share.want().paused() ? kept.union(share.counted()) : kept;
        }
        return wanted.common(held) == wanted.size()
                && (!going.isAnyAdopted() || held.union(kept).equals(wanted.union(kept)));
    }

    private boolean isAnyAdopted() {
        return any(Want::adopted);
    }

    /** Whether anything is known of what any of them wants. */
    public boolean isReported() {
        return any(Want::isReported);
    }

    private boolean any(Predicate<Want> condition) {
        for (Share share : shares) {
            if (condition.test(share.want())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return all().toString();
    }
}
