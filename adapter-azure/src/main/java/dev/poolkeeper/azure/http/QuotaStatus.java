package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.WriteQuota;
import java.util.Optional;

/**
 * What is left of ARM's quota, for a status page.
 *
 * @param level what follows from it now
 * @param writes how many writes ARM said last that it would still answer, of our identity or of the whole subscription,
 *     whichever is less; empty where it never said
 * @param reads the same of reads
 */
public record QuotaStatus(WriteQuota.Level level, Optional<Long> writes, Optional<Long> reads) {}
