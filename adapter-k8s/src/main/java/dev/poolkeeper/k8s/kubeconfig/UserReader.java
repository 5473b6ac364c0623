package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.FileOrData.secret;
import static dev.poolkeeper.k8s.kubeconfig.Kubeconfig.text;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.k8s.client.Credential;
import dev.poolkeeper.k8s.kubeconfig.Kubeconfig.Entry;
import dev.poolkeeper.ports.Time;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the keys of a user. Invalid values become faults. */
final class UserReader {

    private static final List<String> KEYS = List.of(
            "client-certificate",
            "client-certificate-data",
            "client-key",
            "client-key-data",
            "token",
            "tokenFile",
            "username",
            "password",
            "as",
            "as-uid",
            "as-groups",
            "as-user-extra",
            "auth-provider",
            "exec",
            "extensions");

    private final Entry user;
    private final JsonObject keys;
    private final Cluster cluster;
    private final Map<String, String> environment;
    private final Time time;

    UserReader(Entry user, Cluster cluster, Map<String, String> environment, Time time) {
        this.user = user;
        this.keys = user.keys();
        this.cluster = cluster;
        this.environment = environment;
        this.time = time;
    }

    User read() {
        keys.allowOnly(KEYS);
        if (keys.has("auth-provider")) {
            keys.fault("auth-provider", "is not supported; use exec");
        }
        IdentitySource certificate = ClientCertificate.read(user);
        Credential credential = credential();
        Map<String, List<String>> headers = impersonation();
        if (!keys.has("exec")) {
            return new User(credential, certificate, headers);
        }
        ExecPlugin plugin = new ExecReader(user, cluster, environment, time).read();
        return plugin != null && certificate.equals(IdentitySource.NONE) && credential.equals(Credential.NONE)
                ? new User(plugin, plugin, headers)
                : new User(credential, certificate, headers);
    }

    /** Static credentials take precedence over an exec plugin, as in client-go. */
    private Credential credential() {
        String token = secret(keys, "token");
        String name = text(keys, "username");
        String password = secret(keys, "password");
        if (!token.isEmpty() && !(name.isEmpty() && password.isEmpty())) {
            keys.fault("token", "must not be set together with username and password");
        }
        if (!text(keys, "tokenFile").isEmpty()) {
            return tokenFile();
        }
        if (!token.isEmpty()) {
            return bearer(token);
        }
        if (name.indexOf(':') >= 0) {
            keys.fault("username", "found \"%s\", must not contain a colon".formatted(name));
        }
        Optional<String> basic = Optional.of(HeaderText.basic(name, password));
        return name.isEmpty() ? Credential.NONE : () -> basic;
    }

    private Credential tokenFile() {
        String name = text(keys, "tokenFile");
        try {
            TokenFile file = new TokenFile(user.folder().resolve(name));
            file.fault()
                    .ifPresent(why ->
                            keys.fault("tokenFile", "found \"%s\", which cannot be used: %s".formatted(name, why)));
            return file;
        } catch (InvalidPathException e) {
            keys.fault("tokenFile", "found \"%s\", must be the name of a file".formatted(name));
            return Credential.NONE;
        }
    }

    private Credential bearer(String token) {
        try {
            Optional<String> value = Optional.of("Bearer " + HeaderText.token(token));
            return () -> value;
        } catch (IllegalArgumentException e) {
            keys.fault("token", String.valueOf(e.getMessage()));
            return Credential.NONE;
        }
    }

    /** Acting as another user: the headers, in order. */
    private Map<String, List<String>> impersonation() {
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
