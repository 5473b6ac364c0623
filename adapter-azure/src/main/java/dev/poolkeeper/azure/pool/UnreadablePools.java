package dev.poolkeeper.azure.pool;

import dev.poolkeeper.ports.PoolKey;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs pools in a listing that could not be parsed, once for each reason. Thread-safe. */
final class UnreadablePools {

    private static final Logger log = LoggerFactory.getLogger(UnreadablePools.class);

    private Map<PoolKey, String> reasons = Map.of();

    /** A complete listing could not parse these pools. */
    synchronized void listed(Map<PoolKey, String> unreadable) {
        unreadable.forEach((pool, reason) -> {
            if (!reason.equals(reasons.get(pool))) {
                log.atWarn()
                        .addKeyValue("loadBalancer", pool.loadBalancer())
                        .addKeyValue("pool", pool.pool())
                        .addKeyValue("reason", reason)
                        .log("Cannot parse a pool; leaving it out of the listing");
            }
        });
        reasons = Map.copyOf(unreadable);
    }
}
