package dev.poolkeeper.app.admin;

import dev.poolkeeper.ports.ForeignText;
import java.util.List;
import java.util.function.Supplier;

/**
 * Answers {@code ok} with 200 while every check passes, else 503 with the faults. With {@code ?verbose} it lists every
 * check in the format of the API server's {@code /readyz?verbose}. Thread-safe.
 *
 * @param name the name in the last line of the list
 * @param checks must be quick and make no calls
 */
record HealthPage(String name, Supplier<List<Check>> checks) implements Page {

    @Override
    public PageAnswer answer(Request request) {
        List<Check> all = checks.get();
        boolean healthy = all.stream().allMatch(Check::passes);
        return PageAnswer.text(healthy ? 200 : 503, healthy && !request.has("verbose") ? "ok\n" : list(all, healthy));
    }

    private String list(List<Check> all, boolean healthy) {
        StringBuilder text = new StringBuilder();
        for (Check check : all) {
            text.append(check.passes() ? "[+]" : "[-]")
                    .append(check.name())
                    .append(check.passes() ? " ok" : " failed: " + ForeignText.line(String.valueOf(check.fault())))
                    .append('\n');
        }
        return text.append(name)
                .append(healthy ? " check passed\n" : " check failed\n")
                .toString();
    }
}
