package dev.poolkeeper.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The growth of a cost from the smallest to the largest size, which should stay flat: 1 is flat. */
final class Growth {

    private static final int SMALL = 1_000;
    private static final int LARGE = 50_000;

    private Growth() {}

    /** The growth in these results: of one operation of A1, and of one event of D. */
    static List<Measured> of(List<Measured> results) {
        List<Measured> growth = new ArrayList<>();
        for (String model : List.of("desired", "diff")) {
            add(growth, "A1-" + model, results, SMALL, (double) SMALL / LARGE);
            add(growth, "D-" + model, results, 3, 1);
        }
        return growth;
    }

    private static void add(
            List<Measured> growth, String id, List<Measured> results, int small, double operationsOfSmallPerLarge) {
        Optional<Measured> few = find(results, id + "-" + small);
        Optional<Measured> many = find(results, id + "-" + LARGE);
        if (few.isPresent() && many.isPresent()) {
            double ratio = many.get().value() / few.get().value() * operationsOfSmallPerLarge;
            growth.add(new Measured(id + "-growth", ratio, "times", null));
        }
    }

    private static Optional<Measured> find(List<Measured> results, String id) {
        return results.stream().filter(result -> result.id().equals(id)).findFirst();
    }
}
