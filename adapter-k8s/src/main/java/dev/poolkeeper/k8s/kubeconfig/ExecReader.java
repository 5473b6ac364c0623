package dev.poolkeeper.k8s.kubeconfig;

import static dev.poolkeeper.k8s.kubeconfig.Kubeconfig.mustBeOneOf;
import static dev.poolkeeper.k8s.kubeconfig.Kubeconfig.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.k8s.kubeconfig.Kubeconfig.Entry;
import dev.poolkeeper.ports.Time;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code exec} of a user. Invalid values become faults. */
final class ExecReader {

    static final String GROUP = "client.authentication.k8s.io";

    private static final List<String> VERSIONS = List.of(GROUP + "/v1", GROUP + "/v1beta1");
    private static final List<String> MODES = List.of("Never", "IfAvailable");
    private static final List<String> KEYS =
            List.of("command", "args", "env", "apiVersion", "installHint", "provideClusterInfo", "interactiveMode");
    private static final String MODE = "interactiveMode";

    private final JsonObject keys;
    private final Path folder;
    private final Cluster cluster;
    private final Map<String, String> environment;
    private final Time time;

    /** @param environment the plugin's, to which {@code env} is added */
    ExecReader(Entry user, Cluster cluster, Map<String, String> environment, Time time) {
        this.keys = user.keys().object("exec");
        this.folder = user.folder();
        this.cluster = cluster;
        this.environment = environment;
        this.time = time;
    }

    /** Null if there are faults. */
    @Nullable
    ExecPlugin read() {
        keys.allowOnly(KEYS);
        String version = text(keys, "apiVersion");
        if (!VERSIONS.contains(version)) {
            keys.fault("apiVersion", mustBeOneOf(VERSIONS, version));
        }
        requireMode(version);
        Map<String, String> variables = variables();
        variables.put("KUBERNETES_EXEC_INFO", info(version).toString());
        Optional<String> executable = executable();
        List<String> arguments = keys.strings("args");
        return executable
                .map(name -> new ExecPlugin(
                        Stream.concat(Stream.of(name), arguments.stream()).toList(), variables, version, time))
                .orElse(null);
    }

    private void requireMode(String version) {
        String mode = text(keys, MODE);
        if (mode.equals("Always")) {
            keys.fault(MODE, mustBeOneOf(MODES, mode) + ", because there is no terminal");
        } else if (!MODES.contains(mode) && !(mode.isEmpty() && version.endsWith("beta1"))) {
            keys.fault(MODE, mustBeOneOf(MODES, mode));
        }
    }

    private Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>(environment);
        for (JsonObject one : keys.objects("env")) {
            one.allowOnly(List.of("name", "value"));
            variables.put(one.requiredString("name"), FileOrData.secret(one, "value"));
        }
        return variables;
    }

    /** What client-go gives a plugin: that there is no terminal, and the cluster if it asks for it. */
    private ObjectNode info(String version) {
        ObjectNode info = JsonNodeFactory.instance.objectNode();
        info.put("kind", "ExecCredential").put("apiVersion", version);
        ObjectNode spec = info.putObject("spec");
        if (keys.truth("provideClusterInfo")) {
            ObjectNode about = spec.putObject("cluster");
            about.put("server", cluster.server().toString());
            for (String key :
                    List.of("tls-server-name", "insecure-skip-tls-verify", "proxy-url", "disable-compression")) {
                if (cluster.keys().has(key)) {
                    about.set(key, cluster.keys().node().get(key));
                }
            }
            byte[] authority = cluster.authority();
            if (authority != null) {
                about.put("certificate-authority-data", Base64.getEncoder().encodeToString(authority));
            }
            about.set("config", configuration());
        }
        spec.put("interactive", false);
        return info;
    }

    private @Nullable JsonNode configuration() {
        for (JsonObject extension : cluster.keys().objects("extensions")) {
            if (text(extension, "name").equals(GROUP + "/exec")) {
                extension.allowOnly(List.of("name", "extension"));
                return extension.node().get("extension");
            }
        }
        return null;
    }

    /** A name with a slash starts from the kubeconfig's folder; others are looked for in {@code PATH}. */
    private Optional<String> executable() {
        String command = text(keys, "command");
        if (command.isEmpty()) {
            keys.fault("command", "is missing, must be a program");
            return Optional.empty();
        }
        try {
            List<Path> candidates = new ArrayList<>();
            if (command.indexOf('/') >= 0 || command.indexOf(File.separatorChar) >= 0) {
                candidates.add(folder.resolve(command).normalize());
            } else {
                Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                        .filter(name -> !name.isEmpty())
                        .forEach(name -> candidates.add(Path.of(name, command)));
            }
            Optional<String> found = candidates.stream()
                    .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                    .map(Path::toString)
                    .findFirst();
            if (found.isPresent()) {
                return found;
            }
        } catch (InvalidPathException e) {
            // the fault below says what is allowed
        }
        keys.fault(
                "command",
                "found \"%s\", must be a program that exists and can be run. %s"
                        .formatted(command, text(keys, "installHint"))
                        .strip());
        return Optional.empty();
    }
}
