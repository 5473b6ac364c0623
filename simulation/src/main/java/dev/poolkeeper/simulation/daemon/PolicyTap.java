package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.wire.Json;
import dev.poolkeeper.simulation.wire.Tap;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Reads the policy statuses that a daemon receives and writes, from bytes. */
final class PolicyTap implements Tap {

    private static final String SINCE = "lastTransitionTime";
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private final SimulatedDaemon daemon;
    private final Map<String, JsonNode> shown = new HashMap<>();

    PolicyTap(SimulatedDaemon daemon) {
        this.daemon = daemon;
    }

    private static boolean isAbout(HttpCall call) {
        return call.uri().getPath().contains("/gateway.networking.");
    }

    private static JsonNode json(byte[] body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (IOException e) {
            return Json.MAPPER.missingNode(); // it was truncated
        }
    }

    private static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    @Override
    public void sent(HttpCall call) {
        if (isAbout(call) && call.method().equals("PUT") && call.uri().getPath().endsWith("/status")) {
            JsonNode object = json(call.body());
            JsonNode before = shown.getOrDefault(uid(object), Json.MAPPER.missingNode());
            boolean isNews = !object.path("metadata")
                            .path("resourceVersion")
                            .equals(before.path("metadata").path("resourceVersion"))
                    || !object.path("status").equals(before.path("status"));
            daemon.observed(new Observation.StatusSent(
                    daemon,
                    object.path("metadata").path("name").asText(),
                    isNews,
                    isDated(
                            conditions(before.path("status")),
                            conditions(object.path("status")),
                            daemon.machine().clock().instant())));
        }
    }

    /** The conditions of a status, by what they are about. */
    private static Map<String, JsonNode> conditions(JsonNode status) {
        Map<String, JsonNode> conditions = new HashMap<>();
        for (JsonNode entry :
                status.path("ancestors").isMissingNode() ? status.path("parents") : status.path("ancestors")) {
            String about =
                    entry.path("ancestorRef").toString() + entry.path("parentRef") + entry.path("controllerName");
            entry.path("conditions")
                    .forEach(condition ->
                            conditions.put(about + condition.path("type").asText(), condition));
        }
        return conditions;
    }

    /**
     * Whether the time of the last transition changes exactly where the status does.
     *
     * @param clock the time of the process: another one's clock may have been ahead, so that the times are equal
     */
    private static boolean isDated(Map<String, JsonNode> before, Map<String, JsonNode> now, Instant clock) {
        return now.entrySet().stream().allMatch(entry -> {
            JsonNode old = before.get(entry.getKey());
            JsonNode condition = entry.getValue();
            if (old == null) {
                return true;
            }
            boolean isSameTime = old.path(SINCE).equals(condition.path(SINCE));
            return old.path("status").equals(condition.path("status"))
                    ? isSameTime
                    : !isSameTime || isNow(condition.path(SINCE).asText(), clock);
        });
    }

    private static boolean isNow(String time, Instant clock) {
        return Duration.between(Instant.parse(time), clock).abs().compareTo(MOMENT) < 0;
    }

    @Override
    public void received(HttpCall call, AnswerPart part) {
        if (!isAbout(call)) {
            return;
        }
        if (part instanceof Frame frame) {
            show(json(frame.bytes()).path("object"));
        } else if (part instanceof Whole whole && whole.status() == 200) {
            JsonNode body = json(whole.body());
            body.path("items").forEach(this::show);
            show(body);
        }
    }

    private void show(JsonNode object) {
        if (object.path("metadata").has("uid")) {
            shown.put(uid(object), object);
        }
    }
}
