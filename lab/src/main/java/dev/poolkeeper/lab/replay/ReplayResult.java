package dev.poolkeeper.lab.replay;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.Unplaced;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The result of a replay.
 *
 * @param model the update model
 * @param pools the pools of local Services at the end, sorted by load balancer and pool
 * @param events the Events in order
 * @param calls the calls in order
 * @param remarks further observations of the cloud, as text
 * @param metrics the counted outcomes
 * @param freshness how quickly changes reached the pools
 * @param ambiguous the Services of whose pool name two load balancers have a pool
 * @param clashes the Services that are not local in a family because an older one uses their pool for the other one
 */
public record ReplayResult(
        UpdateModel model,
        List<PoolResult> pools,
        List<Emitted> events,
        List<Call> calls,
        List<String> remarks,
        UpdateCounts metrics,
        FreshnessResult freshness,
        List<Unplaced.AmbiguousPool> ambiguous,
        List<Unplaced.FamilyClash> clashes) {

    private static final Comparator<PoolResult> BY_SPELLING = Comparator.comparing(
                    (PoolResult pool) -> pool.key().loadBalancer().toString())
            .thenComparing(pool -> pool.key().pool().toString());

    static ReplayResult of(
            UpdateModel model,
            EndpointIndex index,
            ReplayCloud cloud,
            ReplayRecords records,
            FreshnessResult freshness) {
        return new ReplayResult(
                model,
                servicesByPool(index).entrySet().stream()
                        .map(entry -> PoolResult.of(entry.getKey(), entry.getValue(), index, records.cloud()))
                        .sorted(BY_SPELLING)
                        .toList(),
                records.events().emitted(),
                cloud.calls(),
                Stream.concat(cloud.remarks().stream(), records.plans().lines().stream())
                        .toList(),
                records.metrics(),
                freshness,
                index.unplaced().ambiguous(),
                index.unplaced().clashes());
    }

    private static Map<PoolKey, List<ServiceName>> servicesByPool(EndpointIndex index) {
        return index.wants().stream()
                .collect(groupingBy(Want::pool, LinkedHashMap::new, mapping(Want::service, toList())));
    }

    /** Whether each pool converged, or one of its Services got an Event about a failed update. */
    public boolean isExplained() {
        return pools.stream().allMatch(pool -> pool.converged() || wasToldOfFailure(pool));
    }

    private boolean wasToldOfFailure(PoolResult pool) {
        return events.stream()
                .map(Emitted::event)
                .anyMatch(event -> event.reason() == ServiceEvent.Reason.FAILED
                        && event.pool().equals(pool.key())
                        && pool.services().contains(event.service().toString()));
    }
}
