package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.WriteQuota;
import java.util.Optional;

/**
 * The remaining ARM quota, for a status page.
 *
 * @param level the current level
 * @param writes the remaining writes that ARM last reported, for our identity or the whole subscription, whichever is
 *     lower; empty if never reported
 * @param reads the same for reads
 */
public record QuotaStatus(WriteQuota.Level level, Optional<Long> writes, Optional<Long> reads) {}
