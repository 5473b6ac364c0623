package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.emulators.arm.RecordedSession.Interaction;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Compares a response with a recorded one: everything that a client uses must be equal, except ids and hosts. */
final class Fidelity {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final Pattern GUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /** Headers of Azure's front door, for browsers on its host names only. */
    private static final Set<String> OF_THE_FRONT_DOOR = Set.of("X-Cache", "Strict-Transport-Security");

    /** Headers whose presence counts, with a value that varies. */
    private static final String QUOTA = "x-ms-ratelimit-";

    private static final Set<String> LINKS = Set.of("azure-asyncoperation", "location");

    /** Headers that a client uses: present if and only if recorded. */
    private static final List<String> ACTED_ON = List.of(
            "azure-asyncoperation", "azure-asyncnotification", "location", "etag", "retry-after", "x-ms-failure-cause");

    private Fidelity() {}

    /** Every difference, one line each. */
    static List<String> differences(Interaction recorded, HttpResponse<String> answer) throws IOException {
        List<String> differences = new ArrayList<>();
        if (recorded.status() != answer.statusCode()) {
            differences.add("status: recorded " + recorded.status() + ", answered " + answer.statusCode());
        }
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(recorded.answered().keySet());
        names.removeAll(OF_THE_FRONT_DOOR);
        names.addAll(ACTED_ON);
        for (String name : names) {
            compareHeader(name, recorded, answer, differences);
        }
        compareBody("", json(recorded.answer()), json(answer.body()), differences);
        return differences;
    }

    private static void compareHeader(
            String name, Interaction recorded, HttpResponse<String> answer, List<String> differences) {
        String expected = masked(name, recorded.answered().get(name));
        String found = masked(name, answer.headers().firstValue(name).orElse(null));
        if (!Objects.equals(expected, found)) {
            differences.add("header " + name + ": recorded " + expected + ", answered " + found);
        }
    }

    private static String masked(String name, String value) {
        if (value == null) {
            return null;
        }
        if (name.toLowerCase(Locale.ROOT).startsWith(QUOTA)) {
            return "a number: " + value.matches("\\d+");
        }
        return LINKS.contains(name.toLowerCase(Locale.ROOT)) ? maskedLink(value) : masked(value);
    }

    private static String masked(String text) {
        return GUID.matcher(text).replaceAll("<guid>");
    }

    /** The path unchanged; of the query the names, and the version's value. */
    private static String maskedLink(String link) {
        String path = link.replaceAll("^https://[^/]*", "https://host").replaceAll("\\?.*$", "");
        String query = link.replaceAll("^[^?]*\\?", "");
        Set<String> names = new TreeSet<>(Arrays.stream(query.split("&"))
                .map(pair -> pair.startsWith("api-version=") ? pair : pair.replaceAll("=.*", ""))
                .toList());
        return masked(path) + "?" + names;
    }

    private static JsonNode json(String body) throws IOException {
        return body.isEmpty() ? MAPPER.missingNode() : MAPPER.readTree(body);
    }

    private static void compareBody(String place, JsonNode recorded, JsonNode answered, List<String> differences) {
        if (recorded.getNodeType() != answered.getNodeType()) {
            differences.add(place + ": recorded " + recorded.getNodeType() + ", answered " + answered.getNodeType());
        } else if (recorded.isObject()) {
            Set<String> fields = new TreeSet<>();
            recorded.fieldNames().forEachRemaining(fields::add);
            answered.fieldNames().forEachRemaining(fields::add);
            fields.forEach(
                    field -> compareBody(place + "/" + field, recorded.path(field), answered.path(field), differences));
        } else if (recorded.isArray()) {
            for (int i = 0; i < Math.max(recorded.size(), answered.size()); i++) {
                compareBody(place + "/" + i, recorded.path(i), answered.path(i), differences);
            }
        } else if (!masked(recorded.asText()).equals(masked(answered.asText()))) {
            differences.add(place + ": recorded " + recorded + ", answered " + answered);
        }
    }
}
