package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Service in the index: its state, its slices, and its pools where it is local. Guarded by the index's lock. */
final class ServiceEntry {

    static final Comparator<ServiceEntry> BY_NAME = Comparator.comparing(service -> service.name);

    /** {@code spec.ipFamilies} where absent. */
    private static final List<String> DEFAULT_FAMILIES = List.of(IpFamily.IPV4.text());

    final ServiceName name;

    /** Identifies this Service in {@link NodeEntry#users}. */
    final int number;

    final List<SliceEntry> slices = new ArrayList<>(2);

    /** Its pools in the families in which it is local, IPv4 first. */
    final Map<IpFamily, LocalPool> pools = new EnumMap<>(IpFamily.class);

    /** Null if there is no Service of this name. */
    @Nullable
    ServiceState state;

    ServiceEntry(ServiceName name, int number) {
        this.name = name;
        this.number = number;
    }

    /** Whether the index no longer holds anything about this Service. */
    boolean isForgettable() {
        return state == null && slices.isEmpty();
    }

    /** Whether the Service asks for local load balancer pools at all. */
    boolean wantsPools() {
        return state != null && state.isLocal();
    }

    /** Whether the Service asks for a local load balancer pool in this family; the pool need not exist. */
    boolean asksFor(IpFamily family) {
        ServiceState current = state;
        if (current == null || !current.isLocal()) {
            return false;
        }
        List<String> families = current.ipFamilies().isEmpty() ? DEFAULT_FAMILIES : current.ipFamilies();
        return families.contains(family.text());
    }

    /** {@link Instant#MIN} where absent. */
    Instant createdAt() {
        Instant created = state == null ? null : state.createdAt();
        return created == null ? Instant.MIN : created;
    }

    boolean isPaused() {
        return state != null && state.paused();
    }

    boolean hasSlice(IpFamily family) {
        return slices.stream().anyMatch(slice -> slice.family() == family);
    }

    boolean names(NodeEntry node) {
        return slices.stream().anyMatch(slice -> slice.nodes().contains(node));
    }
}
