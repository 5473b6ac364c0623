package dev.poolkeeper.lab.retries;

import dev.poolkeeper.input.BadInputException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * A scenario that was played under each of its policies.
 *
 * @param scenario the scenario
 * @param seed the seed it was played with
 * @param results one a policy, in their order
 * @param spreads how far the results of further seeds spread, one a policy; none where the scenario asks for none
 */
public record RetrySimulation(Scenario scenario, long seed, List<PolicyResult> results, List<PolicySpread> spreads) {

    public RetrySimulation {
        results = List.copyOf(results);
        spreads = List.copyOf(spreads);
    }

    /**
     * Plays a scenario.
     *
     * @param scenario the name of a bundled one, or a file
     * @param seed repeats a run exactly; the scenario's own where absent
     * @throws BadInputException if there is no such scenario, or it is wrong
     */
    public static RetrySimulation run(String scenario, OptionalLong seed) throws BadInputException {
        return run(Scenarios.find(scenario), seed);
    }

    static RetrySimulation run(Scenario scenario, OptionalLong seed) {
        long chosen = seed.orElse(scenario.seed());
        List<PolicySpread> spreads = IntStream.range(
                        0, scenario.seeds() == 0 ? 0 : scenario.policies().size())
                .mapToObj(index -> PolicySpread.of(IntStream.rangeClosed(1, scenario.seeds())
                        .mapToObj(each -> new PolicyRun(scenario, index, each).run())
                        .toList()))
                .toList();
        return new RetrySimulation(
                scenario,
                chosen,
                IntStream.range(0, scenario.policies().size())
                        .mapToObj(index -> new PolicyRun(scenario, index, chosen).run())
                        .toList(),
                spreads);
    }
}
