package dev.poolkeeper.app.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Azure's probe of a local Service: every five seconds each node in the pool is probed at its
 * {@code healthCheckNodePort}; two equal results in a row make it healthy or unhealthy. Connections go to healthy
 * nodes.
 */
public final class AzureProbe {

    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final int IN_A_ROW = 2;

    private final Predicate<String> answers;
    private final Map<String, Member> members = new HashMap<>();
    private Instant next;

    private static final class Member {
        boolean healthy;
        int otherAnswers;
    }

    /** @param answers whether a node's port responds with 200 */
    public AzureProbe(Predicate<String> answers, Instant first) {
        this.answers = answers;
        this.next = first;
    }

    /** Probes, if that is due; returns the nodes that get connections now. */
    public List<String> healthy(Set<String> pool, Instant now) {
        members.keySet().retainAll(pool);
        pool.forEach(node -> members.computeIfAbsent(node, key -> new Member()));
        if (!now.isBefore(next)) {
            next = next.plus(PERIOD);
            members.forEach(this::probe);
        }
        return members.keySet().stream()
                .filter(node -> members.get(node).healthy)
                .sorted()
                .toList();
    }

    private void probe(String node, Member member) {
        member.otherAnswers = answers.test(node) == member.healthy ? 0 : member.otherAnswers + 1;
        if (member.otherAnswers == IN_A_ROW) {
            member.healthy = !member.healthy;
            member.otherAnswers = 0;
        }
    }
}
