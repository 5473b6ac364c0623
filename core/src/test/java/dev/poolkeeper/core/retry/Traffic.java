package dev.poolkeeper.core.retry;

import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** A step of generated traffic: a number of first attempts and of retry requests, then time passes or jumps back. */
record Traffic(int firsts, int retries, Duration step) {

    boolean isQuiet() {
        return firsts == 0 && retries == 0;
    }

    static Arbitrary<Traffic> arbitrary(Duration interval, boolean clockJumpsBack) {
        Arbitrary<Integer> firsts = Arbitraries.integers().between(0, 60);
        Arbitrary<Integer> retries = Arbitraries.integers().between(0, 40);
        long most = interval.toMillis();
        Arbitrary<Long> forward = Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.longs().between(0, Math.max(1, most / 50))),
                Tuple.of(3, Arbitraries.longs().between(0, most / 2)),
                Tuple.of(1, Arbitraries.longs().between(most - 1, 3 * most)));
        Arbitrary<Long> steps = clockJumpsBack
                ? Arbitraries.frequencyOf(
                        Tuple.of(4, forward),
                        Tuple.of(1, Arbitraries.longs().between(-2 * most, -1)),
                        Tuple.of(1, Arbitraries.longs().between(-5, -1)))
                : forward;
        return Combinators.combine(firsts, retries, steps.map(Duration::ofMillis))
                .as(Traffic::new);
    }
}
