package dev.poolkeeper.fake.cloud;

/**
 * A part of the calls, drawn by chance that a seed repeats.
 *
 * @param of the part, greater than 0 and at most 1
 * @param seed what the draws start from
 */
public record Share(double of, long seed) {

    /** Every call. */
    public static final Share ALL = new Share(1, 0);

    /** @throws IllegalArgumentException if the part is none */
    public Share {
        if (!(of > 0 && of <= 1)) { // written so that NaN fails too
            throw new IllegalArgumentException("a share must be greater than 0 and at most 1, got " + of);
        }
    }
}
