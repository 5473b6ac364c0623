package dev.poolkeeper.k8s.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.ForeignText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the entries of a status list with ours up to date. Entries of other controllers, and conditions of other
 * types in our entries, stay as they are; our entries that no longer apply are removed; no entry is added to a full
 * list; conditions with a newer observed generation are left alone.
 *
 * <p>Source: the Gateway API's {@code PolicyStatus} and {@code RouteStatus}.
 */
final class StatusEntries {

    /** The controller name that identifies our entries. */
    static final String CONTROLLER = "poolkeeper.dev/daemon";

    private static final Set<String> OWN_TYPES = Set.of(Standing.ACCEPTED, Standing.RESOLVED_REFS);

    private final PolicyKind kind;
    private final Standing standing;
    private final Instant now;

    StatusEntries(Standing standing, Instant now) {
        this.kind = standing.object().id().kind();
        this.standing = standing;
        this.now = now;
    }

    static boolean isOwn(JsonNode entry) {
        return entry.path("controllerName").asText().equals(CONTROLLER);
    }

    /**
     * The list as it should be.
     *
     * @param entries the new list; empty if no change is needed
     * @param isFull whether the list has no room for an entry of ours
     */
    record Wanted(Optional<ArrayNode> entries, boolean isFull) {}

    /** @param found the current entries */
    Wanted wanted(List<JsonNode> found) {
        List<JsonNode> missing = new ArrayList<>(references());
        ArrayNode wanted = JsonNodeFactory.instance.arrayNode();
        for (JsonNode entry : found) {
            if (!isOwn(entry)) {
                wanted.add(entry);
            } else if (missing.remove(entry.path(kind.reference()))) {
                wanted.add(entry(entry.path(kind.reference()), entry));
            }
        }
        int room = Math.max(0, kind.mostEntries() - wanted.size());
        missing.stream().limit(room).forEach(reference -> wanted.add(entry(reference, null)));
        boolean isSame = wanted.equals(JsonNodeFactory.instance.arrayNode().addAll(found));
        return new Wanted(isSame ? Optional.empty() : Optional.of(wanted), missing.size() > room);
    }

    private List<JsonNode> references() {
        return standing.conditions().isEmpty() ? List.of() : standing.object().references();
    }

    private JsonNode entry(JsonNode reference, @Nullable JsonNode there) {
        List<JsonNode> known = new ArrayList<>();
        if (there != null) {
            there.path("conditions").forEach(known::add);
            if (known.stream().anyMatch(this::isNewer)) {
                return there;
            }
        }
        ObjectNode entry = JsonNodeFactory.instance.objectNode();
        entry.set(kind.reference(), reference);
        entry.put("controllerName", CONTROLLER);
        ArrayNode conditions = entry.putArray("conditions");
        standing.conditions().forEach(condition -> conditions.add(condition(condition, known)));
        known.stream()
                .filter(condition -> !OWN_TYPES.contains(condition.path("type").asText()))
                .forEach(conditions::add);
        return entry;
    }

    private boolean isNewer(JsonNode condition) {
        return OWN_TYPES.contains(condition.path("type").asText())
                && condition.path("observedGeneration").asLong()
                        > standing.object().generation();
    }

    private ObjectNode condition(Standing.Condition wanted, List<JsonNode> known) {
        String status = wanted.holds() ? "True" : "False";
        String since = known.stream()
                .filter(condition -> condition.path("type").asText().equals(wanted.type())
                        && condition.path("status").asText().equals(status))
                .map(condition -> condition.path("lastTransitionTime").asText())
                .findFirst()
                .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
        ObjectNode condition = JsonNodeFactory.instance
                .objectNode()
                .put("type", wanted.type())
                .put("status", status)
                .put("reason", wanted.reason())
                .put("message", ForeignText.line(wanted.message()))
                .put("lastTransitionTime", since);
        long generation = standing.object().generation();
        return generation == 0 ? condition : condition.set("observedGeneration", number(generation));
    }

    /** Uses the number type that a parser would, or the comparison with the current entry would never be equal. */
    private static JsonNode number(long value) {
        return value == (int) value
                ? JsonNodeFactory.instance.numberNode((int) value)
                : JsonNodeFactory.instance.numberNode(value);
    }
}
