package dev.poolkeeper.k8s.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Reads the JSON of objects that others wrote. Anyone who may create an object chooses the length of its field names
 * (the API server writes an owner's uid into a name in {@code managedFields}), their hash codes and how deep
 * {@code managedFields} are, so none is limited here: a limit would end the list of all objects. The readers limit the
 * size of what they read, and nothing here reads nested objects by recursion.
 */
public final class ObjectJson {

    private ObjectJson() {}

    /** A mapper that ignores unknown fields, and keeps no names of fields in a table that all objects share. */
    public static ObjectMapper mapper() {
        return new ObjectMapper(JsonFactory.builder()
                        .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool()) // each may have its own thread
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNameLength(Integer.MAX_VALUE)
                                .maxStringLength(Integer.MAX_VALUE)
                                .maxNestingDepth(Integer.MAX_VALUE)
                                .build())
                        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                        .build())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }
}
