package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.recording.RecordedEvent;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.FreshnessResult;
import dev.poolkeeper.lab.replay.ReplayInput;
import dev.poolkeeper.lab.replay.VirtualTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every change is written alone and at once, in parallel with all others: no schedule is better. Not thread-safe. */
final class LowerBound implements ClusterChanges {

    private final FakeTime time = new FakeTime(VirtualTime.START, () -> 0);
    private final UpdateCounts metrics = new UpdateCounts();
    private final Pools pools =
            new Pools(new Freshness(time, (pool, took) -> metrics.accept(new Fact.ChangeWritten(pool, took))), false);
    private final EndpointIndex view = new EndpointIndex(time);
    private final Set<PoolKey> changed = new HashSet<>();
    private final Duration update;

    private LowerBound(Duration update) {
        this.update = update;
    }

    /** @param update the duration of a read and a write together */
    static FreshnessResult of(ReplayInput input, Duration update) throws BadInputException, IOException {
        return new LowerBound(update).play(input);
    }

    private FreshnessResult play(ReplayInput input) throws BadInputException, IOException {
        FakeCloud cloud = new FakeCloud(time, input.inventory(), input.faults(), call -> {});
        view.listen(this);
        pools.measureFreshness(true);
        cloud.poolKeys().forEach(pool -> holds(pool, cloud.addresses(pool).orElseThrow()));
        view.locate(cloud.poolKeys());
        try (RecordingPlayer player = new RecordingPlayer(input.recordings())) {
            for (RecordedEvent event = player.next(); event != null; event = player.next()) {
                time.advanceTo(VirtualTime.instant(event.offsetMillis()));
                event.change().report(view);
            }
        }
        time.advance(update);
        Instant end = time.instant();
        return FreshnessResult.of(pools.freshness(end), metrics, List.of(), end);
    }

    @Override
    public void wants(@Nullable Want before, Want now) {
        pools.wants(now);
        changed.add(now.pool());
    }

    @Override
    public void touched(ServiceName service, PoolKey pool) {}

    @Override
    public void left(ServiceName service, PoolKey pool) {
        pools.left(service, pool);
        changed.add(pool);
    }

    @Override
    public void edited(ServiceName service) {}

    @Override
    public void eventEnded() {
        pools.eventEnded();
        changed.forEach(this::write);
        changed.clear();
    }

    private void write(PoolKey pool) {
        AddressSet all = pools.get(pool).wants().union();
        time.schedule(update, () -> holds(pool, all));
    }

    private void holds(PoolKey pool, AddressSet addresses) {
        pools.read(new BackendPool(pool, addresses, null, null), time.instant());
    }
}
