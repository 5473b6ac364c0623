package dev.poolkeeper.azure.pool;

import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs what could not be read in a listing, once for each object and reason. Thread-safe. */
final class UnreadableLog {

    private static final Logger log = LoggerFactory.getLogger(UnreadableLog.class);

    private Set<Unreadable> reported = Set.of();

    /** A complete listing in which these could not be read. */
    synchronized void listed(Set<Unreadable> unreadable) {
        for (Unreadable found : unreadable) {
            if (!reported.contains(found)) {
                report(found);
            }
        }
        reported = Set.copyOf(unreadable);
    }

    private static void report(Unreadable found) {
        LoggingEventBuilder line = log.atWarn();
        if (found.loadBalancer() != null) {
            line = line.addKeyValue("loadBalancer", found.loadBalancer());
        }
        if (found.pool() != null) {
            line = line.addKeyValue("pool", found.pool());
        }
        line.addKeyValue("reason", found.reason())
                .log("Cannot read part of Azure's list of load balancers: its pools stay as last listed, and pools that"
                        + " were never listed are not updated. Compare with the output of az network lb list");
    }
}
