package dev.poolkeeper.fake.cloud;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Rules that are evaluated in order for every call. A call that one rule answers does not reach the later ones; a
 * rule's {@code skip} and {@code times} count the matching calls in its share that reached it. Thread-safe.
 */
public final class FaultScript {

    private final List<Asked> rules = new ArrayList<>();

    public FaultScript(List<FaultRule> rules) {
        rules.forEach(this::add);
    }

    /** Adds a rule after all others. */
    public synchronized void add(FaultRule rule) {
        rules.add(new Asked(rule));
    }

    public synchronized void clear() {
        rules.clear();
    }

    /** The rule that answers a call at this time since the start; names are in the inventory's spelling. */
    public Optional<FaultRule> answerTo(String method, String loadBalancer, String pool, Duration since) {
        return answerTo(HttpsFault.Target.RESOURCE, method, loadBalancer, pool, since);
    }

    /** The rule that answers a request to this target. */
    public synchronized Optional<FaultRule> answerTo(
            HttpsFault.Target target, String method, String loadBalancer, String pool, Duration since) {
        for (Asked asked : rules) {
            if (asked.rule.https().target() == target
                    && asked.rule.fits(method, loadBalancer, pool, since)
                    && asked.answers()) {
                return Optional.of(asked.rule);
            }
        }
        return Optional.empty();
    }

    private static final class Asked {
        private final FaultRule rule;
        private final Random chance;
        private long passedOn;
        private long answered;

        Asked(FaultRule rule) {
            this.rule = rule;
            this.chance = new Random(rule.share().seed());
        }

        boolean answers() {
            if (rule.share().of() < 1 && chance.nextDouble() >= rule.share().of()) {
                return false;
            }
            if (passedOn < rule.skip()) {
                passedOn++;
                return false;
            }
            Long times = rule.times();
            if (times != null && answered >= times) {
                return false;
            }
            answered++;
            return true;
        }
    }
}
