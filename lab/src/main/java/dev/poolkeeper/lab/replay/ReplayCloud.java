package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.WriteQuota;
import java.util.List;

/** How a replay reaches its cloud. */
public interface ReplayCloud extends AutoCloseable {

    BackendPools pools();

    PoolDirectory directory();

    /** What is left of its quota, where it says so. */
    default WriteQuota quota() {
        return WriteQuota.UNKNOWN;
    }

    /** The calls on pools so far, in order; 200 stands for every success. */
    List<Call> calls();

    /** What else there is to say of what the cloud saw, for a person. */
    List<String> remarks();

    @Override
    void close();
}
