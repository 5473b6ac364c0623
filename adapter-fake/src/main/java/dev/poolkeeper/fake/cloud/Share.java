package dev.poolkeeper.fake.cloud;

/**
 * A random share of the calls, reproducible from a seed.
 *
 * @param of the share, greater than 0 and at most 1
 * @param seed the seed of the random draws
 */
public record Share(double of, long seed) {

    /** Every call. */
    public static final Share ALL = new Share(1, 0);

    /** @throws IllegalArgumentException if the share is out of bounds */
    public Share {
        if (!(of > 0 && of <= 1)) { // written so that NaN fails too
            throw new IllegalArgumentException("a share must be greater than 0 and at most 1, got " + of);
        }
    }
}
