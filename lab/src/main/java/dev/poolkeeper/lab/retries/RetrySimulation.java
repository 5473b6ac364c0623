package dev.poolkeeper.lab.retries;

import dev.poolkeeper.input.BadInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;

/**
 * A scenario and its simulated results under each of its policies.
 *
 * @param scenario the scenario
 * @param seed the seed that was used
 * @param results one per policy, in the same order
 * @param spreads the spread of the results over further seeds, one per policy; empty if the scenario requests none
 */
public record RetrySimulation(Scenario scenario, long seed, List<PolicyResult> results, List<PolicySpread> spreads) {

    public RetrySimulation {
        results = List.copyOf(results);
        spreads = List.copyOf(spreads);
    }

    /**
     * Simulates a scenario.
     *
     * @param scenario the name of a bundled one, or a file
     * @param seed makes a run repeatable; the scenario's own if absent
     * @param follower called repeatedly with the progress in percent; once it returns false the simulation stops, and
     *     the result contains the completed parts
     * @throws BadInputException if the scenario does not exist or is invalid
     */
    public static RetrySimulation run(String scenario, OptionalLong seed, IntPredicate follower)
            throws BadInputException {
        return run(Scenarios.find(scenario), seed, follower);
    }

    /** Simulates a scenario completely. */
    static RetrySimulation run(String scenario, OptionalLong seed) throws BadInputException {
        return run(Scenarios.find(scenario), seed);
    }

    /** Simulates a scenario completely. */
    static RetrySimulation run(Scenario scenario, OptionalLong seed) {
        return run(scenario, seed, percent -> true);
    }

    /** Whether the simulation was completed. */
    public boolean isWhole() {
        int policies = scenario.policies().size();
        return results.size() == policies && spreads.size() == (scenario.seeds() == 0 ? 0 : policies);
    }

    private static RetrySimulation run(Scenario scenario, OptionalLong seed, IntPredicate follower) {
        long chosen = seed.orElse(scenario.seed());
        Runs runs = new Runs(scenario, follower);
        List<PolicyResult> results = new ArrayList<>();
        for (int policy = 0; policy < scenario.policies().size(); policy++) {
            runs.play(policy, chosen).ifPresent(results::add);
        }
        List<PolicySpread> spreads = new ArrayList<>();
        for (int policy = 0;
                scenario.seeds() > 0 && policy < scenario.policies().size();
                policy++) {
            List<PolicyResult> ofSeeds = new ArrayList<>();
            for (int each = 1; each <= scenario.seeds(); each++) {
                runs.play(policy, each).ifPresent(ofSeeds::add);
            }
            if (ofSeeds.size() == scenario.seeds()) {
                spreads.add(PolicySpread.of(ofSeeds));
            }
        }
        return new RetrySimulation(scenario, chosen, results, spreads);
    }

    /** Runs simulations one after another until the follower stops them. */
    private static final class Runs {

        private static final int HUNDRED = 100;

        private final Scenario scenario;
        private final IntPredicate follower;
        private final long total;
        private long begun;
        private boolean isEnded;

        Runs(Scenario scenario, IntPredicate follower) {
            this.scenario = scenario;
            this.follower = follower;
            this.total = (long) scenario.policies().size() * (1 + scenario.seeds());
        }

        Optional<PolicyResult> play(int policy, long seed) {
            if (isEnded) {
                return Optional.empty();
            }
            long before = HUNDRED * begun++;
            Optional<PolicyResult> result = new PolicyRun(scenario, policy, seed)
                    .run(percent -> follower.test((int) ((before + percent) / total)));
            isEnded = result.isEmpty();
            return result;
        }
    }
}
