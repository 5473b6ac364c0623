package dev.poolkeeper.simulation.time;

import java.util.List;
import java.util.SplittableRandom;

/** The random source of a run: the same seed gives the same draws. Not thread-safe. */
public final class Chance {

    private final long seed;
    private final SplittableRandom random;

    public Chance(long seed) {
        this.seed = mixed(seed);
        this.random = new SplittableRandom(this.seed);
    }

    /** A separate source for the given purpose, independent of draws from this one. */
    public Chance forked(long purpose) {
        return new Chance(seed ^ mixed(purpose + 0x632be59bd9b4e019L));
    }

    private static long mixed(long value) {
        long z = value * 0x9e3779b97f4a7c15L + 0x1234567;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** A number from 0 (inclusive) to 1 (exclusive). */
    public double draw() {
        return random.nextDouble();
    }

    /** True with the given probability. */
    public boolean happens(double probability) {
        return random.nextDouble() < probability;
    }

    /** A whole number between the bounds, both inclusive. */
    public int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /** A whole number between the bounds, both inclusive. */
    public long between(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    /** A random element. */
    public <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** A random element. */
    @SafeVarargs
    public final <T> T pick(T... all) {
        return all[random.nextInt(all.length)];
    }
}
