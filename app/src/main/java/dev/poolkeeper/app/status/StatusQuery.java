package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.PoolStatus;
import java.util.List;
import java.util.Optional;

/**
 * Which pools are asked for.
 *
 * @param service {@code namespace/name}, or a part of it; empty for all
 * @param problemsOnly whether only pools that are not in step
 * @param limit how many at most
 */
public record StatusQuery(Optional<String> service, boolean problemsOnly, int limit) {

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
        List<PoolStatus> matching = pools.stream().filter(this::matches).toList();
        return new Selection(matching.stream().limit(limit).toList(), matching.size(), pools.size());
    }

    private boolean matches(PoolStatus pool) {
        return (!problemsOnly || !pool.isInStep())
                && service.map(part -> pool.services().stream()
                                .anyMatch(name -> name.toString().contains(part)))
                        .orElse(true);
    }
}
