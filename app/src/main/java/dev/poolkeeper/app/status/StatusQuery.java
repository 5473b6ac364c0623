package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which pools are asked for.
 *
 * @param service {@code namespace/name}, which asks for that Service alone if there is one, or a part of it; empty for
 *     all
 * @param problemsOnly whether only pools that are not in step
 * @param limit how many at most
 * @param node about which node is asked, too; empty for none
 */
public record StatusQuery(Optional<String> service, boolean problemsOnly, int limit, Optional<String> node) {

    /** How many pools a page shows where nothing is said. */
    public static final int DEFAULT_LIMIT = 500;

    /** The most that can be asked for. */
    public static final int LARGEST_LIMIT = 20_000;

    /**
     * The pools that were asked for.
     *
     * @param shown those within the limit
     * @param matching how many there are with those beyond it
     * @param all how many pools there are at all
     */
    public record Selection(List<PoolStatus> shown, int matching, int all) {}

    /** The pools that this asks for, in the order in which they came. */
    public Selection of(List<PoolStatus> pools) {
        List<PoolStatus> matching =
                pools.stream().filter(matches(pools)).filter(this::isAskedFor).toList();
        return new Selection(matching.stream().limit(limit).toList(), matching.size(), pools.size());
    }

    private boolean isAskedFor(PoolStatus pool) {
        return !problemsOnly || !pool.isInStep();
    }

    private Predicate<PoolStatus> matches(List<PoolStatus> pools) {
        String part = service.orElse("");
        Predicate<PoolStatus> isWhole = pool -> hasService(pool, part::equals);
        return pools.stream().anyMatch(isWhole) ? isWhole : pool -> hasService(pool, name -> name.contains(part));
    }

    private static boolean hasService(PoolStatus pool, Predicate<String> name) {
        return pool.services().stream().map(ServiceName::toString).anyMatch(name);
    }
}
