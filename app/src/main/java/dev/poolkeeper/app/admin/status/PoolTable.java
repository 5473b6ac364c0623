package dev.poolkeeper.app.admin.status;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of the pools, with the form that chooses among them. */
final class PoolTable {

    /** More addresses than these are counted rather than shown; the JSON has them all. */
    static final int ADDRESSES_SHOWN = 50;

    private final Html html;
    private final Times times;

    PoolTable(Html html, Times times) {
        this.html = html;
        this.times = times;
    }

    void append(StatusQuery query, StatusQuery.Selection selection) {
        html.markup("<h2>Pools</h2>\n");
        form(query);
        html.element("p", count(selection));
        html.table(
                "Pools and what keeps them from holding what is wanted",
                List.of(
                        "Services",
                        "Load balancer",
                        "Pool",
                        "State",
                        "Wanted",
                        "Last read",
                        "Difference",
                        "Failed attempts",
                        "Waits",
                        "Last outcome"));
        selection.shown().forEach(this::row);
        html.endTable();
    }

    private void form(StatusQuery query) {
        html.markup("<form method=\"get\" action=\"/statusz\">\n")
                .markup("<label>Service <input name=\"service\" placeholder=\"namespace/name\" value=\"")
                .text(query.service().orElse(""))
                .markup("\"></label>\n<label><input type=\"checkbox\" name=\"problem\" value=\"true\"")
                .markup(query.problemsOnly() ? " checked" : "")
                .markup("> only those to look at</label>\n<button>Show</button>\n</form>\n");
    }

    private static String count(StatusQuery.Selection selection) {
        String shown = selection.shown().size() < selection.matching()
                ? "the first %d of %d".formatted(selection.shown().size(), selection.matching())
                : Integer.toString(selection.matching());
        return "Shown: %s; there are %d pools.".formatted(shown, selection.all());
    }

    private void row(PoolStatus pool) {
        PoolStatus.Reading read = pool.lastRead();
        PoolStatus.Parked parked = pool.parked();
        PoolStatus.Outcome outcome = pool.lastOutcome();
        html.markup("<tr>")
                .cell(pool.services().stream().map(ServiceName::toString).collect(Collectors.joining(", ")), false)
                .cell(pool.pool().loadBalancer().toString(), false)
                .cell(pool.pool().pool().toString(), false)
                .cell(state(pool), pool.isProblem())
                .markup("<td>");
        addresses("", pool.wanted(), "not known yet");
        html.markup("</td><td>");
        addresses("", read == null ? null : read.addresses(), "never");
        html.text(read == null ? "" : times.of(read.at(), "")).markup("</td><td>");
        difference(pool);
        html.markup("</td>")
                .cell(Integer.toString(pool.attempts()), pool.attempts() > 0)
                .cell(
                        parked == null
                                ? ""
                                : "until " + times.of(parked.until(), "the next tick") + ": " + parked.reason(),
                        false)
                .cell(outcome == null ? "none yet" : outcome(outcome), outcome != null && outcome.failed())
                .markup("</tr>\n");
    }

    private static String state(PoolStatus pool) {
        if (pool.held() != null) {
            return "held: " + pool.held();
        }
        if (pool.lastRead() == null) {
            return "never read";
        }
        if (!pool.toAdd().isEmpty() || !pool.toRemove().isEmpty()) {
            return "differs";
        }
        return pool.isProblem() ? "look" : "in step";
    }

    private void difference(PoolStatus pool) {
        if (!pool.toAdd().isEmpty()) {
            addresses("to add: ", pool.toAdd(), "");
        }
        if (!pool.toRemove().isEmpty()) {
            addresses("to remove: ", pool.toRemove(), "");
        }
    }

    /** A count that opens to the addresses. */
    private void addresses(String label, @Nullable AddressSet addresses, String otherwise) {
        if (addresses == null) {
            html.text(otherwise);
            return;
        }
        if (addresses.isEmpty()) {
            html.text(label + "0 ");
            return;
        }
        String list = addresses.stream()
                .limit(ADDRESSES_SHOWN)
                .map(IpAddress::toString)
                .collect(Collectors.joining(", "));
        int more = addresses.size() - ADDRESSES_SHOWN;
        html.markup("<details><summary>")
                .text(label + addresses.size())
                .markup("</summary><div class=\"addresses\">")
                .text(more > 0 ? list + " and " + more + " more" : list)
                .markup("</div></details>");
    }

    private String outcome(PoolStatus.Outcome outcome) {
        return outcome.result() + " " + times.of(outcome.at(), "")
                + (outcome.text() == null ? "" : ": " + outcome.text());
    }
}
