package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.guard.DryRunPools;
import dev.poolkeeper.core.guard.DryRunPools.WouldWrite;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** A cloud that is read and never written; what would be written stands among the remarks. */
public final class DryRunCloud implements ReplayCloud {

    private final ReplayCloud cloud;
    private final List<WouldWrite> writes = Collections.synchronizedList(new ArrayList<>());
    private final BackendPools pools;

    public DryRunCloud(ReplayCloud cloud) {
        this.cloud = cloud;
        this.pools = new DryRunPools(cloud.pools(), writes::add);
    }

    @Override
    public BackendPools pools() {
        return pools;
    }

    @Override
    public PoolDirectory directory() {
        return cloud.directory();
    }

    @Override
    public List<Call> calls() {
        return cloud.calls();
    }

    @Override
    public List<String> remarks() {
        Stream<String> would = List.copyOf(writes).stream()
                .map(write -> "Dry run  would write %s: add %s, remove %s"
                        .formatted(write.pool(), write.add(), write.remove()));
        return Stream.concat(cloud.remarks().stream(), would).toList();
    }

    @Override
    public void close() {
        cloud.close();
    }
}
