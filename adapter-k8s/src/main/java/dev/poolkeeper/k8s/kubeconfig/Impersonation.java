package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.Kubeconfig.text;

import dev.poolkeeper.input.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Acting as another user.
 *
 * @param keys those of the user
 */
record Impersonation(JsonObject keys) {

    /** The headers, in order; invalid values become faults. */
    Map<String, List<String>> headers() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        add(headers, "as", "Impersonate-User", one("as"));
        add(headers, "as-uid", "Impersonate-Uid", one("as-uid"));
        add(headers, "as-groups", "Impersonate-Group", keys.strings("as-groups"));
        JsonObject extra = keys.object("as-user-extra");
        List<String> names = new ArrayList<>();
        extra.node().fieldNames().forEachRemaining(names::add);
        names.forEach(name -> add(
                headers,
                "as-user-extra",
                "Impersonate-Extra-" + HeaderText.inName(name.toLowerCase(Locale.ROOT)),
                extra.strings(name)));
        if (!headers.isEmpty() && !headers.containsKey("Impersonate-User")) {
            keys.fault("as", "is missing, as-uid, as-groups and as-user-extra need it");
        }
        return headers;
    }

    private List<String> one(String key) {
        String value = text(keys, key);
        return value.isEmpty() ? List.of() : List.of(value);
    }

    private void add(Map<String, List<String>> headers, String key, String header, List<String> values) {
        if (!values.isEmpty()) {
            headers.put(header, values);
        }
        if (!values.stream().allMatch(HeaderText::isValue)) {
            keys.fault(key, HeaderText.NOT_ALLOWED);
        }
    }
}
