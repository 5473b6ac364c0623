package dev.poolkeeper.simulation.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Jackson with pooled buffers. It would otherwise keep them with each thread, and in a simulation every message is
 * received by a new one.
 */
public final class Json {

    /** Reads messages. */
    public static final ObjectMapper MAPPER = mapper();

    private Json() {}

    static ObjectMapper mapper() {
        return new ObjectMapper(JsonFactory.builder()
                .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
                .build());
    }
}
