package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Service in the index: its state, its slices and its pools. Guarded by the index's lock. */
final class ServiceEntry {

    static final Comparator<ServiceEntry> BY_NAME = Comparator.comparing(service -> service.name);

    final ServiceName name;

    /** Identifies this Service in {@link NodeEntry#users}. */
    final int number;

    final List<SliceEntry> slices = new ArrayList<>(2);

    /** One for each family, IPv4 first, whether or not it asks for them. */
    final List<PoolEntry> pools = List.of(new PoolEntry(this, IpFamily.IPV4), new PoolEntry(this, IpFamily.IPV6));

    /** Null if there is no Service of this name. */
    @Nullable
    ServiceState state;

    ServiceEntry(ServiceName name, int number) {
        this.name = name;
        this.number = number;
    }

    /** {@link Instant#MIN} where absent. */
    Instant createdAt() {
        Instant created = state == null ? null : state.createdAt();
        return created == null ? Instant.MIN : created;
    }

    boolean isPaused() {
        return state != null && state.paused();
    }

    /** Its pools in the families in which it is local, IPv4 first. */
    Stream<PoolEntry> localPools() {
        return pools.stream().filter(PoolEntry::isLocal);
    }

    void add(SliceEntry slice) {
        slices.add(slice);
        for (NodeEntry node : slice.nodes()) {
            node.users.set(number);
        }
    }

    /**
     * The nodes of a slice that it no longer has, as far as no other of its slices names them.
     *
     * @param look has marked some of the nodes that are named, and marks the others
     */
    List<NodeEntry> unnamed(SliceEntry gone, Look look) {
        for (SliceEntry slice : slices) {
            if (!look.families.contains(slice.family())) {
                slice.nodes().forEach(node -> node.mark(look, IpFamily.IPV4));
            }
        }
        List<NodeEntry> unnamed = new ArrayList<>(gone.nodes().size());
        for (NodeEntry node : gone.nodes()) {
            if (!node.isMarkedBy(look, IpFamily.IPV4) && !node.isMarkedBy(look, IpFamily.IPV6)) {
                node.users.clear(number);
                unnamed.add(node);
            }
        }
        return unnamed;
    }
}
