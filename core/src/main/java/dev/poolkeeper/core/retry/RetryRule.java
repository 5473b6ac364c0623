package dev.poolkeeper.core.retry;

/**
 * What a budget over windows of time allows: a retry, if with it the retries of the share's window are at most
 * {@code numerator / denominator} times its first attempts plus {@code onTop}; or else if with it they are at most
 * {@code floorInShare}, and those of the floor's window at most {@code floor}.
 *
 * @param numerator of the ratio of retries to first attempts, not negative
 * @param denominator of it, not negative; 0 allows any number
 * @param onTop retries on top of the share
 * @param floorInShare what the floor allows in the window of the share
 * @param floor what it allows in its own
 */
record RetryRule(long numerator, long denominator, long onTop, long floorInShare, long floor) {

    /** The count of all retries below which the floor admits one more. */
    long floorLimit(TrafficWindow shareWindow, TrafficWindow floorWindow) {
        return Math.min(shareWindow.retriesBefore() + floorInShare, floorWindow.retriesBefore() + floor);
    }

    /** The count of all retries above which they are held against the first attempts. */
    long shareBase(TrafficWindow shareWindow) {
        return shareWindow.retriesBefore() + onTop;
    }

    /** Whether the share allows so many retries to so many first attempts. Exact: the products have 128 bits. */
    boolean shareAllows(long retries, long firsts) {
        long left = Math.multiplyHigh(retries, denominator);
        long right = Math.multiplyHigh(firsts, numerator);
        return left < right || (left == right && Long.compareUnsigned(retries * denominator, firsts * numerator) <= 0);
    }
}
