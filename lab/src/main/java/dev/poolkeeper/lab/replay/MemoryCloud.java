package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import java.util.List;

/**
 * The cloud in memory, called directly: no in-call retries, no gate.
 *
 * @param cloud the cloud
 */
public record MemoryCloud(FakeCloud cloud) implements ReplayCloud {

    @Override
    public BackendPools pools() {
        return cloud;
    }

    @Override
    public PoolDirectory directory() {
        return cloud;
    }

    @Override
    public List<Call> calls() {
        return cloud.calls();
    }

    @Override
    public List<String> remarks() {
        return List.of();
    }

    @Override
    public void close() {}
}
