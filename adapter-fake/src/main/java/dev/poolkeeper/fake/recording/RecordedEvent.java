package dev.poolkeeper.fake.recording;

/**
 * One watch event of a recording.
 *
 * @param offsetMillis when it came, in milliseconds since the recording began
 * @param change what it says
 */
public record RecordedEvent(long offsetMillis, ClusterChange change) {}
