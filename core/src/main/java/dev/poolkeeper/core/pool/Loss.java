package dev.poolkeeper.core.pool;

import java.time.Duration;
import java.util.Optional;

/** What a removal that the safety brake holds would lose, as counted when its hold began. */
public sealed interface Loss {

    /**
     * No address is wanted in any pool.
     *
     * @param removed the number of addresses it would remove
     * @param all the number of addresses in all pools
     */
    record Everything(long removed, long all) implements Loss {}

    /**
     * Too large a share of the addresses.
     *
     * @param namespace the one whose pools would lose it; empty if all pools together would
     * @param lost how many addresses they would lose
     * @param all how many they held
     * @param byThis how many of those lost this removal removes
     * @param window the time within which they are lost
     * @param percent the share that may be lost
     */
    record TooMuch(Optional<String> namespace, long lost, long all, long byThis, Duration window, int percent)
            implements Loss {}
}
