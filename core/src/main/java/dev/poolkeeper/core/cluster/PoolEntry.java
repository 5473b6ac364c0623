package dev.poolkeeper.core.cluster;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Service's pool in one IP family: whether the Service asks for it and is local with it, what it wants there, and the
 * nodes it waits for. Guarded by the index's lock.
 *
 * <p>A Service's slices may name nodes that the API server never reported. All Nodes are synced before anything is
 * written, so a node that stays missing for {@link #MAX_WAIT} does not exist: its endpoint belongs to another cluster,
 * or to an orphaned Pod.
 */
final class PoolEntry {

    static final Duration MAX_WAIT = Duration.ofSeconds(60);

    final ServiceEntry service;
    final IpFamily family;

    /** Since when it has waited for a missing node, as last noted by {@link Waits}; {@link Instant#MAX} for not. */
    Instant waitsSince = Instant.MAX;

    /** What the Service wants in the pool, as last reported; null while it is not local with the pool. */
    @Nullable
    Want want;

    private MissingNodes missing = new MissingNodes();

    PoolEntry(ServiceEntry service, IpFamily family) {
        this.service = service;
        this.family = family;
    }

    ArmName name() {
        return family.poolName(service.name);
    }

    /** Whether the Service asks for this pool, which need not exist. IPv4 is the family of one that names none. */
    boolean isAskedFor() {
        ServiceState state = service.state;
        if (state == null || !state.isLocal()) {
            return false;
        }
        List<String> families = state.ipFamilies();
        return families.isEmpty() ? family == IpFamily.IPV4 : families.contains(family.text());
    }

    boolean isLocal() {
        return want != null;
    }

    boolean isLocalAt(PoolKey place) {
        return want != null && want.pool().equals(place);
    }

    /** Whether a slice of this family existed or was seen since the Service became local. */
    boolean isSeen() {
        return want != null && want.seen();
    }

    /** Only while the Service is local with the pool. */
    Want want() {
        return requireNonNull(want, "want");
    }

    /** Whether the slice is one of its Service and family. */
    boolean takes(EndpointSliceState slice) {
        return service.name.equals(slice.service())
                && slice.family().filter(family::equals).isPresent();
    }

    /** The Service is no longer local with the pool. */
    void leave() {
        want = null;
        missing = new MissingNodes();
    }

    /**
     * What the Service wants after a look at its slices.
     *
     * @param touched see {@link MissingNodes#look}
     */
    Want evaluated(Collection<NodeEntry> touched, Look look, Instant now) {
        AddressSet selected = selected(look);
        missing.look(touched, look, family, now);
        return want().evaluated(selected, !isWaiting());
    }

    /** The addresses of the nodes that the slices name, as far as they are known. */
    AddressSet selected(Look look) {
        look.families.add(family);
        List<IpAddress> selected = new ArrayList<>(want().wanted().size());
        for (SliceEntry slice : service.slices) {
            for (NodeEntry node : slice.nodes(family)) {
                IpAddress address = node.mark(look, family) ? node.address(family) : null;
                if (address != null) {
                    selected.add(address);
                }
            }
        }
        return AddressSet.of(selected);
    }

    /** Since when the node that is waited for longest has been missing; {@link Instant#MAX} if none is waited for. */
    Instant missingSince() {
        return missing.first();
    }

    /** Whether {@link Waits} has to note another time. */
    boolean waitChanged() {
        return !missingSince().equals(waitsSince);
    }

    /** Whether it waits for a missing node. */
    boolean isWaiting() {
        return missingSince().isBefore(Instant.MAX);
    }

    /** Gives up the nodes that have been missing since this time or longer. */
    void giveUp(Instant until) {
        missing.giveUp(until);
    }

    /** The time of the nodes that are waited for starts again. */
    void restart(Instant now) {
        missing.restart(now);
    }
}
