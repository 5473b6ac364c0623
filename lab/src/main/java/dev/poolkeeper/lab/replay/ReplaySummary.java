package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.cluster.Survey.AmbiguousPool;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.ServiceEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a replay came to, for a person. */
public final class ReplaySummary {

    private ReplaySummary() {}

    public static List<String> lines(ReplayResult result) {
        List<PoolResult> apart =
                result.pools().stream().filter(pool -> !pool.converged()).toList();
        List<String> lines = new java.util.ArrayList<>();
        lines.add("");
        lines.add("Pools    %d of %d converged"
                .formatted(result.pools().size() - apart.size(), result.pools().size()));
        lines.add("Events   " + events(result.events()));
        lines.add("Calls    " + calls(result.calls()));
        lines.addAll(result.remarks());
        for (PoolResult pool : apart) {
            lines.add("Apart    %s holds %s, should hold %s: %s"
                    .formatted(pool.key(), pool.actual(), pool.desired(), why(pool, result)));
        }
        for (AmbiguousPool ambiguous : result.ambiguous()) {
            lines.add("Ambiguous %s is not local: several load balancers hold a pool %s"
                    .formatted(ambiguous.service(), ambiguous.pool()));
        }
        return lines;
    }

    private static String events(List<Emitted> events) {
        Map<ServiceEvent.Reason, Long> byReason = events.stream()
                .collect(Collectors.groupingBy(emitted -> emitted.event().reason(), Collectors.counting()));
        return Arrays.stream(ServiceEvent.Reason.values())
                .filter(reason -> reason != ServiceEvent.Reason.HELD || byReason.containsKey(reason))
                .map(reason -> byReason.getOrDefault(reason, 0L) + " " + reason)
                .collect(Collectors.joining(", "));
    }

    private static String calls(List<Call> calls) {
        Map<String, Long> byAnswer = calls.stream()
                .collect(Collectors.groupingBy(
                        call -> call.method() + " " + call.status(), TreeMap::new, Collectors.counting()));
        return byAnswer.isEmpty()
                ? "none"
                : byAnswer.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static String why(PoolResult pool, ReplayResult result) {
        return last(result.events(), emitted -> emitted.event().pool().equals(pool.key()))
                .filter(emitted -> emitted.event().reason() != ServiceEvent.Reason.UPDATED)
                .map(emitted -> emitted.event().service() + " was told: "
                        + emitted.event().message())
                .or(() -> last(result.calls(), call -> call.pool().equals(pool.key()))
                        .map(call -> "its last call, %s at %s, was answered %d"
                                .formatted(call.method(), VirtualTime.text(call.at()), call.status())))
                .orElse("it was never tried, because not all of its endpoints' nodes were seen");
    }

    private static <T> java.util.Optional<T> last(List<T> all, java.util.function.Predicate<T> condition) {
        return all.stream().filter(condition).reduce((first, second) -> second);
    }

    /** One line for an event as it happens. */
    public static String line(Emitted emitted) {
        Function<ServiceEvent, String> mark = event -> switch (event.reason()) {
            case UPDATED -> "updated ";
            case RETRYING -> "retrying";
            case FAILED -> "FAILED  ";
            case HELD -> "held    ";
        };
        ServiceEvent event = emitted.event();
        return "%12s  %s  %s  %s: %s"
                .formatted(
                        VirtualTime.text(emitted.at()),
                        mark.apply(event),
                        event.service(),
                        event.pool(),
                        event.message());
    }
}
