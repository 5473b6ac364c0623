package dev.poolkeeper.benchmarks;

import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.cluster.LocalServices;
import dev.poolkeeper.core.cluster.PoolLocations;
import dev.poolkeeper.core.plan.UpdateModel;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.tick.BackendPoolUpdater;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.core.engine.Lanes;
import dev.poolkeeper.core.tick.UpdaterPorts;
import dev.poolkeeper.core.tick.UpdaterSettings;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An updater over a number of local Services, with a counter for events, on a clock that stands still. Which Services
 * are local it looks up in a set, as the Go updater does in its map: the operations are made up, and say what the index
 * does not. The index is for benchmarks of watch events.
 */
final class World {

    final FakeTime clock = new FakeTime();
    final AtomicLong events = new AtomicLong();
    final OperationQueue queue;
    final EndpointIndex index;
    final BackendPoolUpdater updater;

    /** Services that neither come nor go. */
    private record Fixed(Set<ServiceName> local) implements LocalServices {
        @Override
        public boolean isLocal(ServiceName service, PoolKey pool) {
            return local.contains(service);
        }

        @Override
        public long revision() {
            return 0;
        }
    }

    /** Serves all load balancers in the thread that ticks. */
    World(UpdateModel model, int services, BackendPools pools) {
        this(model, services, pools, Lanes.oneAfterAnother(new ReentrantLock()));
    }

    World(UpdateModel model, int services, BackendPools pools, Lanes lanes) {
        queue = new OperationQueue(model);
        index = new EndpointIndex(new ChangeQueuer(queue));
        Set<ServiceName> local =
                IntStream.range(0, services).mapToObj(Peer::service).collect(Collectors.toUnmodifiableSet());
        updater = new BackendPoolUpdater(
                UpdaterSettings.DEFAULTS,
                queue,
                new Fixed(local),
                new UpdaterPorts(pools, new FakeResourceLock(), event -> events.incrementAndGet()),
                lanes,
                clock);
        for (int i = 0; i < services; i++) {
            index.serviceChanged(new ServiceState(Peer.service(i), "LoadBalancer", "Local", List.of("IPv4")));
        }
        index.locationsChanged(PoolLocations.of(
                IntStream.range(0, services).mapToObj(Peer::pool).toList()));
    }
}
