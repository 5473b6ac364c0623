package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Summarizes the state of pools in a few words. */
final class PoolSummary {

    private PoolSummary() {}

    /**
     * Such as {@code 27 of 28 pools in step, 1 held}.
     *
     * @param leading whether this replica leads; otherwise it does not know what the pools hold
     * @param withoutPool the number of local Services for which there is no pool
     */
    static String of(boolean leading, List<PoolStatus> pools, int withoutPool) {
        if (!leading) {
            return pools.size() + " pools; this replica is on standby and does not know their state";
        }
        long inStep = pools.stream().filter(PoolStatus::isInStep).count();
        long outages = pools.stream().filter(PoolStatus::isOutage).count();
        TreeMap<Difference.Reason, Long> others = pools.stream()
                .filter(pool -> !pool.isInStep())
                .collect(Collectors.groupingBy(PoolSummary::reason, TreeMap::new, Collectors.counting()));
        return "%s of %s pools in step".formatted(inStep, pools.size())
                + others.entrySet().stream()
                        .map(other -> ", " + other.getValue() + " " + words(other.getKey()))
                        .collect(Collectors.joining())
                + (outages > 0 ? "; " + outages + " in outage" : "")
                + (withoutPool > 0
                        ? "; " + withoutPool + (withoutPool == 1 ? " Service" : " Services") + " without a pool"
                        : "");
    }

    /** The state of a pool, such as {@code held}, {@code outage: held} or {@code in step}. */
    static String state(PoolStatus pool) {
        String state = pool.isInStep() ? "in step" : words(reason(pool));
        return pool.isOutage() ? "outage: " + state : state;
    }

    private static Difference.Reason reason(PoolStatus pool) {
        return pool.difference().map(Difference::reason).orElse(Difference.Reason.INCOMPLETE);
    }

    private static String words(Difference.Reason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
