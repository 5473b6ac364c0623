package dev.poolkeeper.fake.recording;

/**
 * One watch event of a recording.
 *
 * @param offsetMillis its time, in milliseconds since the start of the recording
 * @param change the change to the cluster
 */
public record RecordedEvent(long offsetMillis, ClusterChange change) {}
