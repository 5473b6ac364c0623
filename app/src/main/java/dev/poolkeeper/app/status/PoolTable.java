package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

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
                        "Last seen",
                        "Difference",
                        "Failed attempts",
                        "Why",
                        "Last call"));
        selection.shown().forEach(this::row);
        html.endTable();
    }

    private void form(StatusQuery query) {
        html.markup("<form method=\"get\" action=\"/statusz\">\n")
                .markup("<label>Service <input name=\"service\" placeholder=\"namespace/name\" value=\"")
                .text(query.service().orElse(""))
                .markup("\"></label>\n<label><input type=\"checkbox\" name=\"problem\" value=\"true\"")
                .markup(query.problemsOnly() ? " checked" : "")
                .markup("> only those not in step</label>\n<button>Show</button>\n</form>\n");
    }

    private static String count(StatusQuery.Selection selection) {
        String shown = selection.shown().size() < selection.matching()
                ? "the first %d of %d".formatted(selection.shown().size(), selection.matching())
                : Integer.toString(selection.matching());
        return "Shown: %s; there are %d pools.".formatted(shown, selection.all());
    }

    private void row(PoolStatus pool) {
        Optional<KnownPool> known = pool.known();
        html.markup("<tr>")
                .cell(pool.services().stream().map(ServiceName::toString).collect(Collectors.joining(", ")), false)
                .cell(pool.pool().loadBalancer().toString(), false)
                .cell(pool.pool().pool().toString(), false)
                .cell(state(pool), !pool.isInStep())
                .markup("<td>");
        addresses("", pool.wanted());
        html.text(pool.adopted() ? "" : "not complete yet").markup("</td><td>");
        known.ifPresentOrElse(this::seen, () -> html.text("never"));
        html.markup("</td><td>");
        difference(pool);
        html.markup("</td>")
                .cell(Integer.toString(pool.attempts()), pool.attempts() > 0)
                .cell(pool.difference().map(this::why).orElse(""), false);
        Optional<KnownPool.LastCall> call = known.map(KnownPool::lastCall);
        html.cell(
                        call.map(this::text).orElse("none yet"),
                        call.flatMap(KnownPool.LastCall::failure).isPresent())
                .markup("</tr>\n");
    }

    private static String state(PoolStatus pool) {
        String state = pool.difference()
                .map(it -> it.reason().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                .orElse(pool.isInStep() ? "in step" : "incomplete");
        return pool.isOutage() ? "outage: " + state : state;
    }

    private void seen(KnownPool known) {
        addresses("", known.addresses());
        html.text(times.of(known.at()));
    }

    private String why(Difference difference) {
        return difference.text()
                + difference
                        .until()
                        .map(until -> " Until " + times.of(until) + ".")
                        .orElse("");
    }

    private void difference(PoolStatus pool) {
        if (!pool.missing().isEmpty()) {
            addresses("to add: ", pool.missing());
        }
        if (!pool.surplus().isEmpty()) {
            addresses("to remove: ", pool.surplus());
        }
    }

    /** A count that opens to the addresses. */
    private void addresses(String label, AddressSet addresses) {
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

    private String text(KnownPool.LastCall call) {
        return (call.write() ? "write" : "read")
                + (call.failure().isPresent() ? " failed " : " succeeded ")
                + times.of(call.at())
                + call.failure().map(failure -> ": " + failure.describe()).orElse("");
    }
}
