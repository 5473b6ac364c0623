package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.ClusterChanges;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.recording.RecordedEvent;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.ReplayInput;
import dev.poolkeeper.lab.replay.VirtualTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** When what is wanted in each pool changes in a recording; the engine has no part in it. Not thread-safe. */
final class PoolChanges implements ClusterChanges {

    private final FakeTime time = new FakeTime(VirtualTime.START, () -> 0);
    private final EndpointIndex view = new EndpointIndex(time);
    private final Map<PoolKey, Map<ServiceName, Want>> wants = new HashMap<>();
    private final Map<PoolKey, AddressSet> wanted = new HashMap<>();
    private final Set<PoolKey> touched = new HashSet<>();
    private final Map<PoolKey, NavigableSet<Instant>> changes = new HashMap<>();

    private PoolChanges() {}

    /** The instants of the changes of each pool that has any, also of those that bring back what was there. */
    static Map<PoolKey, NavigableSet<Instant>> of(ReplayInput input) throws BadInputException, IOException {
        PoolChanges played = new PoolChanges();
        played.play(input);
        return played.changes;
    }

    private void play(ReplayInput input) throws BadInputException, IOException {
        FakeCloud cloud = new FakeCloud(time, input.inventory(), input.faults(), call -> {});
        view.listen(this);
        cloud.poolKeys().forEach(pool -> wanted.put(pool, cloud.addresses(pool).orElseThrow()));
        view.locate(cloud.poolKeys());
        try (RecordingPlayer player = new RecordingPlayer(input.recordings())) {
            for (RecordedEvent event = player.next(); event != null; event = player.next()) {
                time.advanceTo(VirtualTime.instant(event.offsetMillis()));
                event.change().report(view);
            }
        }
    }

    @Override
    public void wants(@Nullable Want before, Want now) {
        wants.computeIfAbsent(now.pool(), pool -> new HashMap<>()).put(now.service(), now);
        touched.add(now.pool());
    }

    @Override
    public void left(ServiceName service, PoolKey pool) {
        wants.getOrDefault(pool, new HashMap<>()).remove(service);
        touched.add(pool);
    }

    @Override
    public void eventEnded() {
        touched.forEach(this::compare);
        touched.clear();
    }

    private void compare(PoolKey pool) {
        Map<ServiceName, Want> its = wants.getOrDefault(pool, Map.of());
        if (its.isEmpty() || !its.values().stream().allMatch(Want::adopted)) {
            return;
        }
        AddressSet now = its.values().stream().map(Want::wanted).reduce(AddressSet.empty(), AddressSet::union);
        if (!now.equals(wanted.put(pool, now))) {
            changes.computeIfAbsent(pool, key -> new TreeSet<>()).add(time.instant());
        }
    }
}
