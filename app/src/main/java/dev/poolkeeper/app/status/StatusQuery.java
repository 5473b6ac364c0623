package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Selects pools.
 *
 * @param service {@code namespace/name}, which selects exactly that Service, or a part of either; empty for all
 * @param problemsOnly whether to select only pools that are not in step
 * @param limit the largest number of pools to return
 * @param node the node to report on; empty for none
 */
public record StatusQuery(Optional<String> service, boolean problemsOnly, int limit, Optional<String> node) {

    /** The default number of pools on a page. */
    public static final int DEFAULT_LIMIT = 500;

    /** The largest allowed limit. */
    public static final int LARGEST_LIMIT = 20_000;

    /**
     * The selected pools.
     *
     * @param shown the pools within the limit
     * @param matching the number of matching pools, including those beyond the limit
     * @param all the number of all pools
     */
    public record Selection(List<PoolStatus> shown, int matching, int all) {}

    /** The pools that match, in the given order. */
    public Selection of(List<PoolStatus> pools) {
        Predicate<ServiceName> selected = selected();
        List<PoolStatus> matching = pools.stream()
                .filter(pool -> pool.services().stream().anyMatch(selected))
                .filter(this::isAskedFor)
                .toList();
        return new Selection(matching.stream().limit(limit).toList(), matching.size(), pools.size());
    }

    private boolean isAskedFor(PoolStatus pool) {
        return !problemsOnly || !pool.isInStep();
    }

    /** The Services that are asked for. */
    Predicate<ServiceName> selected() {
        String part = service.orElse("");
        return isWhole(part)
                ? name -> name.toString().equals(part)
                : name -> name.toString().contains(part);
    }

    private static boolean isWhole(String part) {
        int slash = part.indexOf('/');
        return slash > 0 && slash < part.length() - 1;
    }
}
