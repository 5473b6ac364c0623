package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import java.util.List;

/** How a replay reaches its cloud. */
public interface ReplayCloud extends AutoCloseable {

    BackendPools pools();

    PoolDirectory directory();

    /** The calls on pools so far, in order; 200 stands for every success. */
    List<Call> calls();

    /** What else there is to say of what the cloud saw, for a person. */
    List<String> remarks();

    @Override
    void close();
}
