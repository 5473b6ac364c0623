package dev.poolkeeper.app.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A daemon's status as text: one line for all pools, then the problems, then a table. */
public final class StatusText {

    private static final List<String> COLUMNS =
            List.of("SERVICE", "LOAD BALANCER", "POOL", "STATE", "WANTED", "MISSING", "SURPLUS");

    /** At most this many Services without a pool are explained, and the rest counted. */
    private static final int SERVICES_SHOWN = 20;

    /** The state of a pool that holds what is wanted so far, as the page has it: {@link PoolSummary#state}. */
    private static final String INCOMPLETE = Difference.Reason.INCOMPLETE.name();

    private final JsonNode status;
    private final List<String> lines = new ArrayList<>();

    /** @param status a daemon's response */
    public StatusText(JsonNode status) {
        this.status = status;
    }

    /** @param service the requested Service; empty for all */
    public List<String> lines(Optional<String> service) {
        lines.add(text(status, "summary"));
        replica();
        status.path("problems").forEach(this::problem);
        status.path("pools").forEach(this::difference);
        nodes();
        if (service.isEmpty()) {
            withoutPool();
        }
        if (status.path("pools").isEmpty() && service.isPresent()) {
            lines.add("");
            lines.add(InputFault.line(whyNoPool(service.get())));
        } else {
            table();
        }
        return lines;
    }

    private void replica() {
        JsonNode election = status.at("/cluster/election");
        String who = election.path("leading").asBoolean()
                ? "this replica leads"
                : "this replica is on standby; ask the leader " + text(election, "leader");
        JsonNode lock = status.at("/cluster/resourceLock");
        String holder = text(lock.path("holding"), "holder");
        lines.add("%s: %s; resource lock %s"
                .formatted(
                        text(status.path("program"), "identity"),
                        who,
                        lock.path("held").asBoolean()
                                ? "held by this replica"
                                : holder.isEmpty() ? "has no known holder" : "held by " + holder));
    }

    /** A problem that affects more than one pool. */
    private void problem(JsonNode problem) {
        lines.add("");
        lines.add(text(problem, "title"));
        for (String part : List.of("text", "moments", "remedy")) {
            if (!text(problem, part).isEmpty()) {
                lines.add("  " + text(problem, part));
            }
        }
    }

    /** Why the pool is not in step. */
    private void difference(JsonNode pool) {
        JsonNode difference = pool.path("difference");
        if (pool.path("inStep").asBoolean() || difference.isNull()) {
            return;
        }
        lines.add("");
        lines.add(services(pool) + ": " + state(pool) + moment(difference, "since") + moment(difference, "until"));
        lines.add("  " + text(difference, "text"));
        lines.add("  " + text(difference, "remedy"));
    }

    private static String moment(JsonNode difference, String name) {
        String instant = text(difference, name);
        return instant.isEmpty() ? "" : " " + name + " " + instant.replaceFirst("\\.\\d+Z$", "Z");
    }

    private void nodes() {
        status.path("nodes").forEach(answer -> {
            lines.add("");
            lines.add("Node %s in pool %s%s: %s"
                    .formatted(
                            text(answer, "node"),
                            text(answer, "pool"),
                            isPoolShared(answer) ? " for Service " + text(answer, "service") : "",
                            text(answer, "text")));
        });
    }

    /** Whether the answer's pool has several Services. */
    private boolean isPoolShared(JsonNode answer) {
        return stream(status.path("pools"))
                .filter(pool -> pool.path("services").size() > 1)
                .anyMatch(pool -> Stream.of("loadBalancer", "pool")
                        .allMatch(name -> pool.path(name).equals(answer.path(name))));
    }

    /** The local Services without a pool, each with what is missing. */
    private void withoutPool() {
        JsonNode services = status.at("/engine/listing/withoutPool");
        stream(services).limit(SERVICES_SHOWN).forEach(name -> {
            String service = InputFault.line(name.asText());
            lines.add("");
            lines.add(service + ": no pool");
            lines.add("  " + sentence(MissingPool.why(named(service))));
        });
        if (services.size() > SERVICES_SHOWN) {
            lines.add("… and " + (services.size() - SERVICES_SHOWN) + " more Services without a pool");
        }
    }

    private static String sentence(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1) + ".";
    }

    private static ServiceName named(String service) {
        int slash = service.indexOf('/');
        return new ServiceName(service.substring(0, Math.max(slash, 0)), service.substring(slash + 1));
    }

    private String whyNoPool(String service) {
        JsonNode listing = status.at("/engine/listing");
        if (stream(listing.path("withoutPool")).anyMatch(name -> name.asText().equals(service))) {
            return service + " has no pool: " + MissingPool.why(named(service)) + ".";
        }
        if (stream(listing.path("ambiguous"))
                .anyMatch(one -> text(one, "service").equals(service))) {
            return service + " has no pool: several load balancers have one with its name; remove all but one.";
        }
        if (stream(listing.path("clashes")).anyMatch(one -> text(one, "service").equals(service))) {
            return service + " has no pool: an older Service uses the pool of its name for the other IP family.";
        }
        return service + " has no pool: it does not exist, or is not a Service of type LoadBalancer with"
                + " externalTrafficPolicy: Local.";
    }

    private void table() {
        List<List<String>> rows = new ArrayList<>(List.of(COLUMNS));
        status.path("pools")
                .forEach(pool -> rows.add(List.of(
                        services(pool),
                        text(pool, "loadBalancer"),
                        text(pool, "pool"),
                        state(pool),
                        size(pool, "wanted"),
                        size(pool, "missing"),
                        size(pool, "surplus"))));
        if (rows.size() == 1) {
            return;
        }
        lines.add("");
        int[] widths = new int[COLUMNS.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        rows.forEach(row -> {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i))
                        .append(" ".repeat(widths[i] + 2 - row.get(i).length()));
            }
            lines.add(line.toString().stripTrailing());
        });
        int more = status.path("poolsMatching").asInt() - status.path("pools").size();
        if (more > 0) {
            lines.add("… and " + more + " more");
        }
    }

    private static String services(JsonNode pool) {
        return stream(pool.path("services"))
                .map(name -> InputFault.line(name.asText()))
                .collect(Collectors.joining(", "));
    }

    private static String state(JsonNode pool) {
        String reason = text(pool.path("difference"), "reason");
        String state = pool.path("inStep").asBoolean()
                ? "in step"
                : (reason.isEmpty() ? INCOMPLETE : reason)
                        .toLowerCase(Locale.ROOT)
                        .replace('_', ' ');
        return pool.path("outage").asBoolean() ? "outage: " + state : state;
    }

    private static String size(JsonNode pool, String set) {
        return Integer.toString(pool.path(set).size());
    }

    /** The field's text on one line, without terminal control characters; empty if there is none. */
    private static String text(JsonNode object, String field) {
        JsonNode value = object.path(field);
        return value.isNull() ? "" : InputFault.line(value.asText());
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
