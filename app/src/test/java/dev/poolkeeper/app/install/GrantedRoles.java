package dev.poolkeeper.app.install;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What rendered roles grant, each as verb, resource, API group, namespace ({@code *} for all) and name. */
final class GrantedRoles {

    private GrantedRoles() {}

    static Set<String> of(List<JsonNode> objects) {
        Set<String> granted = new TreeSet<>();
        for (JsonNode object : objects) {
            switch (object.path("kind").asText()) {
                case "ClusterRole" -> add(granted, object, "*");
                case "Role" ->
                    add(granted, object, object.at("/metadata/namespace").asText());
                default -> {}
            }
        }
        return granted;
    }

    private static void add(Set<String> granted, JsonNode role, String namespace) {
        for (JsonNode rule : role.path("rules")) {
            for (JsonNode group : rule.path("apiGroups")) {
                for (JsonNode resource : rule.path("resources")) {
                    for (JsonNode verb : rule.path("verbs")) {
                        add(granted, verb.asText(), resource.asText(), group.asText(), namespace, rule);
                    }
                }
            }
        }
    }

    private static void add(
            Set<String> granted, String verb, String resource, String group, String namespace, JsonNode rule) {
        if (rule.path("resourceNames").isEmpty()) {
            granted.add(line(verb, resource, group, namespace, ""));
        }
        rule.path("resourceNames").forEach(name -> granted.add(line(verb, resource, group, namespace, name.asText())));
    }

    static String line(String verb, String resource, String group, String namespace, String name) {
        return "%s %s.%s in %s %s"
                .formatted(verb, resource, group, namespace, name)
                .strip();
    }
}
