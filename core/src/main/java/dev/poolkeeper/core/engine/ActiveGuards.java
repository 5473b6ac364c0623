package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.guard.DriftBackOff;
import dev.poolkeeper.core.guard.ForbiddenLoadBalancers;
import dev.poolkeeper.core.guard.Guard;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.core.guard.Guards;
import dev.poolkeeper.core.guard.HoldNotices;
import dev.poolkeeper.core.guard.LocalPoolSizes;
import dev.poolkeeper.core.guard.Pauses;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.core.guard.SharedPools;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The guards of an engine that is configured with guards. Thread-safe. */
final class ActiveGuards {

    private final Pools known;
    private final SafetyBrake brake;
    private final ForbiddenLoadBalancers forbidden;
    private final DriftBackOff drift;
    private volatile boolean paused;

    /** @param waveWait how long removals wait that together exceed a tenth of all addresses; zero for no wait */
    ActiveGuards(GuardSettings settings, Duration waveWait, Pools known, HoldNotices notices, InstantSource clock) {
        this.known = known;
        this.brake = new SafetyBrake(settings.brake(), waveWait, this::sizes, notices, clock);
        this.forbidden = new ForbiddenLoadBalancers(settings.forbiddenWaits(), known, notices, clock);
        this.drift = new DriftBackOff(settings.drift(), known, notices, clock);
    }

    /** In the order in which they are asked; the brake sees only what the others let through. */
    Guard all() {
        return new Guards(List.of(
                new Pauses(() -> paused, known::wants), forbidden, drift, new SharedPools(known::wants), brake));
    }

    void pause(boolean now) {
        paused = now;
    }

    boolean isPaused() {
        return paused;
    }

    void agreeToRemovals(Set<String> ids) {
        brake.agree(ids);
    }

    void setBrakePercent(int percent) {
        brake.setPercent(percent);
    }

    void settle() {
        drift.settle();
    }

    /** The pools with removals that the brake remembers. */
    Set<PoolKey> braked() {
        return brake.pools();
    }

    /** This process does not lead: it holds nothing back. */
    void rest() {
        brake.rest();
    }

    EngineStatus.Holds status(Collection<Wants> used) {
        List<ServiceName> pausedServices = used.stream()
                .flatMap(wants -> wants.all().stream())
                .filter(Want::paused)
                .map(Want::service)
                .distinct()
                .sorted()
                .toList();
        return new EngineStatus.Holds(paused, brake.braked(), forbidden.forbidden(), drift.fights(), pausedServices);
    }

    private LocalPoolSizes sizes() {
        Map<PoolKey, LocalPoolSizes.Size> pools = new HashMap<>();
        boolean isAnyWanted = false;
        for (Map.Entry<PoolKey, Wants> entry : known.used().entrySet()) {
            int held = known.find(entry.getKey())
                    .map(pool -> pool.addresses().size())
                    .orElse(0);
            List<Want> wants = entry.getValue().all();
            String namespace = LocalPoolSizes.namespaceOf(
                    wants.stream().map(want -> want.service().namespace()));
            pools.put(entry.getKey(), new LocalPoolSizes.Size(namespace, held));
            isAnyWanted |= wants.stream().anyMatch(want -> !want.wanted().isEmpty());
        }
        return new LocalPoolSizes(pools, isAnyWanted);
    }
}
