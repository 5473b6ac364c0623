package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.ServiceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;

/** The result of a replay as text. */
public final class ReplaySummary {

    private static final int INDENT = 14;
    private static final int SUMMARY_INDENT = 9;

    private ReplaySummary() {}

    /** The whole summary, folded to the width. */
    public static List<String> lines(ReplayResult result, int width) {
        return lines(result).stream()
                .flatMap(line -> FoldedText.of(ForeignText.line(line), width, SUMMARY_INDENT).stream())
                .toList();
    }

    private static List<String> lines(ReplayResult result) {
        List<PoolResult> apart =
                result.pools().stream().filter(pool -> !pool.converged()).toList();
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Pools    %s of %s converged"
                .formatted(result.pools().size() - apart.size(), result.pools().size()));
        lines.add("Events   " + events(result.events()));
        lines.add("Calls    " + calls(result.calls()));
        lines.addAll(result.remarks());
        for (PoolResult pool : apart) {
            lines.add("Apart    %s holds %s, should hold %s: %s"
                    .formatted(pool.key(), pool.actual(), pool.desired(), why(pool, result)));
        }
        for (AmbiguousPool ambiguous : result.ambiguous()) {
            lines.add("Ambiguous %s %s: several load balancers hold a pool %s"
                    .formatted(
                            ambiguous.service(),
                            ambiguous
                                    .maintained()
                                    .map(place -> "stays on " + place.loadBalancer())
                                    .orElse("is not local"),
                            ambiguous.pool()));
        }
        for (FamilyClash clash : result.clashes()) {
            lines.add("Clash    %s is not local in %s: the older %s uses the pool %s for the other IP family"
                    .formatted(clash.service(), clash.family().text(), clash.served(), clash.pool()));
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
                .map(emitted -> "the last event of " + emitted.event().service() + ": "
                        + emitted.event().message())
                .or(() -> last(result.calls(), call -> call.pool().equals(pool.key()))
                        .map(call -> "its last call, %s at %s, was answered %s"
                                .formatted(call.method(), VirtualTime.text(call.at()), call.status())))
                .orElse("it was never tried, because no EndpointSlice of its Service was seen");
    }

    private static <T> Optional<T> last(List<T> all, Predicate<T> condition) {
        return all.stream().filter(condition).reduce((first, second) -> second);
    }

    /** An Event as it is emitted, folded to the width; its outcome is coloured if colours are enabled. */
    public static List<String> lines(Emitted emitted, Ansi colours, int width) {
        ServiceEvent event = emitted.event();
        String line = "%12s  %s  %s  %s: %s"
                .formatted(
                        VirtualTime.text(emitted.at()),
                        outcome(event.reason()),
                        event.service(),
                        event.pool(),
                        event.message());
        List<String> lines = FoldedText.of(ForeignText.line(line), width, INDENT);
        if (colours.enabled()) {
            Style colour = colour(event.reason());
            String outcome = outcome(event.reason());
            lines.set(0, lines.get(0).replaceFirst(outcome, colour.on() + outcome + colour.off()));
        }
        return lines;
    }

    private static String outcome(ServiceEvent.Reason reason) {
        return switch (reason) {
            case UPDATED -> "updated ";
            case RETRYING -> "retrying";
            case FAILED -> "FAILED  ";
            case HELD -> "held    ";
        };
    }

    private static Style colour(ServiceEvent.Reason reason) {
        return switch (reason) {
            case UPDATED -> Style.fg_green;
            case RETRYING, HELD -> Style.fg_yellow;
            case FAILED -> Style.fg_red;
        };
    }
}
