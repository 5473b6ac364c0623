package dev.poolkeeper.k8s.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries in a status with ours as they should be. Entries of other controllers, and conditions of other types in
 * ours, stay as they are; entries of ours that no longer apply are removed; a list that is full gets no more; what a
 * newer observer wrote is left alone.
 *
 * <p>Source: the Gateway API's {@code PolicyStatus} and {@code RouteStatus}.
 */
final class StatusEntries {

    /** By which our entries are known. */
    static final String CONTROLLER = "poolkeeper.dev/daemon";

    private static final Set<String> OWN_TYPES = Set.of(Standing.ACCEPTED, Standing.RESOLVED_REFS);

    private final StatusList list;
    private final Standing standing;
    private final Instant now;

    StatusEntries(Standing standing, Instant now) {
        this.list = standing.object().id().kind().statusList();
        this.standing = standing;
        this.now = now;
    }

    static boolean isOwn(JsonNode entry) {
        return entry.path("controllerName").asText().equals(CONTROLLER);
    }

    /**
     * What the list should be.
     *
     * @param entries what it should be; empty if it is so already
     * @param isFull whether an entry of ours has no room
     */
    record Wanted(Optional<ArrayNode> entries, boolean isFull) {}

    /** @param found the entries as they are */
    Wanted wanted(List<JsonNode> found) {
        List<JsonNode> missing = new ArrayList<>(references());
        ArrayNode wanted = JsonNodeFactory.instance.arrayNode();
        for (JsonNode entry : found) {
            if (!isOwn(entry)) {
                wanted.add(entry);
            } else if (missing.remove(entry.path(list.reference()))) {
                wanted.add(entry(entry.path(list.reference()), entry));
            }
        }
        int room = Math.max(0, list.most() - wanted.size());
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
        entry.set(list.reference(), reference);
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
                .put("message", wanted.message())
                .put("lastTransitionTime", since);
        long generation = standing.object().generation();
        return generation == 0 ? condition : condition.set("observedGeneration", number(generation));
    }

    /** Of the type that a parser gives it, or it would never be equal to what is there. */
    private static JsonNode number(long value) {
        return value == (int) value
                ? JsonNodeFactory.instance.numberNode((int) value)
                : JsonNodeFactory.instance.numberNode(value);
    }
}
