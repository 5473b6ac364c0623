package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.recording.RecordedEvent;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.FreshnessResult;
import dev.poolkeeper.lab.replay.ReplayInput;
import dev.poolkeeper.lab.replay.VirtualTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Every change is written alone and at once, in parallel with all others: no schedule is better. Not thread-safe. */
final class LowerBound implements ClusterChanges {

    private final FakeTime time = new FakeTime(VirtualTime.START, () -> 0);
    private final UpdateCounts metrics = new UpdateCounts();
    private final Freshness freshness =
            new Freshness(time, (pool, took) -> metrics.accept(new Fact.ChangeWritten(pool, took)));
    private final EndpointIndex view = new EndpointIndex(time);
    private final Map<PoolKey, Wants> wanted = new HashMap<>();
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
        freshness.count(true);
        cloud.poolKeys()
                .forEach(pool -> freshness.holds(pool, cloud.addresses(pool).orElseThrow()));
        view.locate(cloud.poolKeys());
        try (RecordingPlayer player = new RecordingPlayer(input.recordings())) {
            for (RecordedEvent event = player.next(); event != null; event = player.next()) {
                time.advanceTo(VirtualTime.instant(event.offsetMillis()));
                event.change().report(view);
            }
        }
        time.advance(update);
        Instant end = time.instant();
        return FreshnessResult.of(freshness.snapshot(end), metrics, List.of(), end);
    }

    @Override
    public void wants(@Nullable Want before, Want now) {
        if (!now.seen()) {
            return;
        }
        wants(now.pool(), wants(now.pool()).with(now));
    }

    @Override
    public void touched(ServiceName service, PoolKey pool) {}

    @Override
    public void left(ServiceName service, PoolKey pool) {
        wants(pool, wants(pool).without(service));
    }

    private Wants wants(PoolKey pool) {
        return wanted.getOrDefault(pool, Wants.NONE);
    }

    private void wants(PoolKey pool, Wants now) {
        wanted.put(pool, now);
        freshness.wants(pool, now);
        changed.add(pool);
    }

    @Override
    public void edited(ServiceName service) {}

    @Override
    public void eventEnded() {
        freshness.eventEnded();
        changed.forEach(this::write);
        changed.clear();
    }

    private void write(PoolKey pool) {
        AddressSet all = wants(pool).union();
        time.schedule(update, () -> freshness.holds(pool, all));
    }
}
