package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** S2. */
final class ConditionalWrites extends Invariant {

    private final Map<SimulatedDaemon, Map<PoolKey, String>> lastRead = new HashMap<>();

    ConditionalWrites(Scene scene) {
        super(
                "S2 conditional and conservative writes",
                "Every write carries the version of the latest read, from which it was computed, and leaves"
                        + " every other field and every remaining entry as in that read. No two entries have one"
                        + " name.",
                scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Published(
                    SimulatedDaemon daemon,
                    Fact.ReadEnded(var attempt, var at, Reply.Ok<BackendPool>(var read)))
            when read.etag() != null ->
                lastRead.computeIfAbsent(daemon, key -> new HashMap<>()).put(attempt.pool(), read.etag());
            case Observation.Put(var daemon, var read, var wanted, var ifMatch) -> put(daemon, read, wanted, ifMatch);
            default -> {}
        }
    }

    private void put(SimulatedDaemon daemon, PoolImage read, PoolImage wanted, @Nullable String ifMatch) {
        String latest = lastRead.getOrDefault(daemon, Map.of()).get(read.key());
        if (ifMatch == null || !ifMatch.equals(read.etag()) || !ifMatch.equals(latest)) {
            violated(
                    "%s writes %s with If-Match %s; it was computed from %s, and last read as %s",
                    daemon, read.key(), String.valueOf(ifMatch), String.valueOf(read.etag()), String.valueOf(latest));
        }
        if (!wanted.otherFields().equals(read.otherFields())) {
            violated("%s changes fields of %s that are not ours", daemon, read.key());
        }
        if (new HashSet<>(wanted.names()).size() < wanted.names().size()) {
            violated("%s writes two entries with one name into %s: %s", daemon, read.key(), wanted.names());
        }
        for (Map.Entry<IpAddress, String> entry : wanted.entries().entrySet()) {
            String before = read.entries().get(entry.getKey());
            if (before != null && !before.equals(entry.getValue())) {
                violated(
                        "%s changes the entry of %s in %s, which should stay as it is",
                        daemon, entry.getKey(), read.key());
            }
        }
    }
}
