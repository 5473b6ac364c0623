package dev.poolkeeper.input.policies;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.policies.RequestCondition.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads an HTTPRoute as defined by its CRD. Invalid values become faults. */
record RouteReader(PolicyDefaults defaults) {

    static final List<String> VERSIONS = List.of("gateway.networking.k8s.io/v1", "gateway.networking.k8s.io/v1beta1");

    private static final List<String> SPEC = List.of("parentRefs", "hostnames", "rules", "useDefaultGateways");
    private static final List<String> RULE =
            List.of("name", "matches", "filters", "backendRefs", "timeouts", "retry", "sessionPersistence");
    private static final List<String> MATCH = List.of("path", "headers", "queryParams", "method");
    private static final List<String> PATH = List.of("type", "value");
    private static final List<String> NAMED = List.of("type", "name", "value");
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH");
    private static final List<String> VALUE_TYPES = List.of("Exact", "RegularExpression");
    private static final List<String> PATH_TYPES = List.of("Exact", "PathPrefix", "RegularExpression");
    private static final Pattern HOSTNAME =
            Pattern.compile("(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern NOT_NORMAL = Pattern.compile("//|/\\.{1,2}(/|$)|%2[fF]|#");
    private static final int MOST = 16;
    private static final int MOST_MATCHES = 64;
    private static final int LONGEST_HOSTNAME = 253;

    RouteManifest read(ManifestHead head, JsonObject object) {
        JsonObject spec = object.object("spec");
        spec.allowOnly(SPEC);
        List<JsonObject> rules = atMost(spec, "rules", MOST);
        Expressions expressions = new Expressions();
        return new RouteManifest(
                head,
                spec.objects("parentRefs").stream()
                        .map(ref -> BackendRef.ofParent(ref, head))
                        .toList(),
                hostnames(spec),
                rules.stream().map(rule -> rule(rule, head, expressions)).toList());
    }

    private static List<String> hostnames(JsonObject spec) {
        List<String> hostnames = spec.strings("hostnames");
        for (int i = 0; i < hostnames.size(); i++) {
            String name = hostnames.get(i);
            if (name.length() > LONGEST_HOSTNAME || !HOSTNAME.matcher(name).matches()) {
                spec.fault("hostnames[" + i + "]", "found \"" + name + "\", must be a host name, or *. and one");
            }
        }
        return hostnames;
    }

    private RouteManifest.Rule rule(JsonObject rule, ManifestHead head, Expressions expressions) {
        rule.allowOnly(RULE);
        if (rule.has("sessionPersistence")) {
            rule.fault("sessionPersistence", "is not supported, must be left out");
        }
        List<JsonObject> refs = atMost(rule, "backendRefs", MOST);
        List<RouteMatch> matches = atMost(rule, "matches", MOST_MATCHES).stream()
                .map(match -> match(match, expressions))
                .toList();
        List<String> filters = Stream.concat(Stream.of(rule), refs.stream())
                .flatMap(holder -> holder.objects("filters").stream())
                .map(filter -> filter.requiredString("type"))
                .toList();
        return new RouteManifest.Rule(
                matches.isEmpty() ? List.of(RouteMatch.EVERYTHING) : matches,
                refs.stream().map(ref -> BackendRef.ofRule(ref, head)).toList(),
                filters,
                PolicyStanzas.ofRoute(rule, defaults.backoff()));
    }

    private static List<JsonObject> atMost(JsonObject holder, String field, int most) {
        List<JsonObject> found = holder.objects(field);
        if (found.size() > most) {
            holder.fault(field, "found " + found.size() + " elements, must have " + most + " at most");
        }
        return found;
    }

    private static RouteMatch match(JsonObject match, Expressions expressions) {
        match.allowOnly(MATCH);
        List<RequestCondition> conditions = new ArrayList<>();
        JsonObject path = match.object("path");
        path.allowOnly(PATH);
        String type = oneOf(path, "type", PATH_TYPES, "PathPrefix");
        String value = requireNonNullElse(path.optionalString("value"), "/");
        int rank = path(path, type, value, expressions, conditions);
        String method = match.has("method") ? oneOf(match, "method", METHODS, "") : "";
        if (!method.isEmpty()) {
            conditions.add(new RequestCondition.Is(Part.METHOD, "", method));
        }
        int headers = named(match, "headers", Part.HEADER, expressions, conditions);
        int parameters = named(match, "queryParams", Part.PARAMETER, expressions, conditions);
        return new RouteMatch(
                new RequestCondition.All(conditions), rank, value.length(), !method.isEmpty(), headers, parameters);
    }

    private static int path(
            JsonObject path, String type, String value, Expressions expressions, List<RequestCondition> conditions) {
        if (type.equals("RegularExpression")) {
            RegularExpression pattern = expressions.read(path, "value", value);
            if (pattern != null) {
                conditions.add(new RequestCondition.Matches(Part.PATH, "", pattern));
            }
            return RouteMatch.PATTERN;
        }
        if (!value.startsWith("/") || NOT_NORMAL.matcher(value).find()) {
            path.fault("value", "found \"" + value + "\", must begin with / and not contain //, /./, /../, %2f or #");
        }
        if (type.equals("Exact")) {
            conditions.add(new RequestCondition.Is(Part.PATH, "", value));
            return RouteMatch.EXACT;
        }
        if (!value.equals("/")) {
            conditions.add(new RequestCondition.PathPrefix(value));
        }
        return RouteMatch.PREFIX;
    }

    /** Of equivalent names only the first one counts. */
    private static int named(
            JsonObject match, String field, Part part, Expressions expressions, List<RequestCondition> conditions) {
        Set<String> names = new HashSet<>();
        for (JsonObject each : atMost(match, field, MOST)) {
            each.allowOnly(NAMED);
            String type = oneOf(each, "type", VALUE_TYPES, "Exact");
            String name = each.requiredString("name");
            String value = each.requiredString("value");
            if (!names.add(part == Part.HEADER ? name.toLowerCase(Locale.ROOT) : name)) {
                continue;
            }
            if (type.equals("Exact")) {
                conditions.add(new RequestCondition.Is(part, name, value));
                continue;
            }
            RegularExpression pattern = expressions.read(each, "value", value);
            if (pattern != null) {
                conditions.add(new RequestCondition.Matches(part, name, pattern));
            }
        }
        return names.size();
    }

    private static String oneOf(JsonObject holder, String field, List<String> allowed, String usual) {
        String found = holder.optionalString(field);
        if (found == null || allowed.contains(found)) {
            return found == null ? usual : found;
        }
        holder.fault(field, "found \"" + found + "\", must be one of " + String.join(", ", allowed));
        return usual;
    }
}
