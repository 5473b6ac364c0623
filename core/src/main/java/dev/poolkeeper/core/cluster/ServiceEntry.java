package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Service in the index: its state, its slices, and its pools where it is local. */
final class ServiceEntry {

    /** {@code spec.ipFamilies} where absent. */
    private static final List<String> DEFAULT_FAMILIES = List.of("IPv4");

    final ServiceName name;

    /** Identifies this Service in {@link NodeEntry#users}. */
    final int number;

    final List<SliceEntry> slices = new ArrayList<>(2);
    private final @Nullable LocalPool[] pools = new LocalPool[IpFamily.values().length];
    private @Nullable ServiceState state;

    ServiceEntry(ServiceName name, int number) {
        this.name = name;
        this.number = number;
    }

    void setState(@Nullable ServiceState state) {
        this.state = state;
    }

    /** Whether the index no longer holds anything about this Service. */
    boolean isForgettable() {
        return state == null && slices.isEmpty();
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

    /** Whether the Service asks for local load balancer pools at all. */
    boolean wantsPools() {
        ServiceState current = state;
        return current != null && current.isLocal();
    }

    /** {@link Instant#MIN} where absent. */
    Instant createdAt() {
        ServiceState current = state;
        Instant created = current == null ? null : current.createdAt();
        return created == null ? Instant.MIN : created;
    }

    boolean isPaused() {
        ServiceState current = state;
        return current != null && current.paused();
    }

    @Nullable
    LocalPool pool(IpFamily family) {
        return pools[family.ordinal()];
    }

    void setPool(IpFamily family, @Nullable LocalPool pool) {
        pools[family.ordinal()] = pool;
    }

    /** The pools of the families in which it is local, IPv4 first. */
    Stream<LocalPool> localPools() {
        return Stream.of(pools).filter(Objects::nonNull).map(Objects::requireNonNull);
    }

    boolean hasSlice(IpFamily family) {
        for (SliceEntry slice : slices) {
            if (slice.family == family) {
                return true;
            }
        }
        return false;
    }

    boolean names(NodeEntry node) {
        for (SliceEntry slice : slices) {
            if (slice.names(node)) {
                return true;
            }
        }
        return false;
    }
}
