package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.WriteQuota;
import java.util.List;

/** The cloud of a replay. */
public interface ReplayCloud extends AutoCloseable {

    BackendPools pools();

    PoolDirectory directory();

    /** The remaining quota, if the cloud reports it. */
    default WriteQuota quota() {
        return WriteQuota.UNKNOWN;
    }

    /** The calls on pools so far, in order; every success has status 200. */
    List<Call> calls();

    /** Further observations of the cloud, as text. */
    List<String> remarks();

    @Override
    void close();
}
