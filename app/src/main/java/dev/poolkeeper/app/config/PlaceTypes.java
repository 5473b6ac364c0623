package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.proxy.ProxyAddress;
import dev.poolkeeper.ports.IpAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Types of keys whose values refer to something: an address, a file, a load balancer. */
public final class PlaceTypes {

    private PlaceTypes() {}

    /** An IP address, kept as written. */
    public record IpLiteral() implements KeyType<String> {
        @Override
        public String allowed() {
            return "an IP address such as 127.0.0.1 or 0.0.0.0";
        }

        @Override
        public @Nullable String read(Field field) {
            String text = field.value().isTextual() ? field.value().textValue() : "";
            if (IpAddress.parse(text).isPresent()) {
                return text;
            }
            field.mustBe(allowed());
            return null;
        }
    }

    /**
     * An https address. Faults do not show an address that may contain a password or a signature.
     *
     * @param withPath whether it may have a path
     */
    public record HttpsAddress(boolean withPath) implements KeyType<URI> {

        @Override
        public String allowed() {
            return "an absolute https address without user, %squery and fragment".formatted(withPath ? "" : "path, ");
        }

        @Override
        public @Nullable URI read(Field field) {
            String text = field.value().asText();
            try {
                URI address = new URI(text);
                if ("https".equalsIgnoreCase(address.getScheme())
                        && address.getHost() != null
                        && address.getPort() <= ProxyAddress.LAST_PORT
                        && (withPath || address.getPath().matches("/?"))
                        && address.getUserInfo() == null
                        && address.getQuery() == null
                        && address.getFragment() == null) {
                    return address;
                }
            } catch (URISyntaxException e) {
                // the fault below states what is allowed
            }
            if (text.indexOf('@') < 0 && text.indexOf('?') < 0) {
                field.mustBe(allowed());
            } else {
                field.fault("found \"" + TextTypes.Secret.MASK + "\", must be " + allowed());
            }
            return null;
        }
    }

    /**
     * A readable file.
     *
     * @param kind what it is, such as "a PEM file"
     */
    public record ExistingFile(String kind) implements KeyType<Path> {
        @Override
        public String allowed() {
            return kind + " that can be read";
        }

        @Override
        public @Nullable Path read(Field field) {
            try {
                Path path = field.file().resolveSibling(field.value().asText());
                if (field.value().isTextual() && Files.isRegularFile(path) && Files.isReadable(path)) {
                    return path;
                }
            } catch (InvalidPathException e) {
                // the fault below states what is allowed
            }
            field.mustBe(allowed());
            return null;
        }
    }

    /** File names; the files need not exist. */
    public record FileNames() implements KeyType<List<Path>> {
        @Override
        public String allowed() {
            return "an array of file names";
        }

        @Override
        public @Nullable List<Path> read(Field field) {
            List<Path> files = new ArrayList<>();
            try {
                for (JsonNode name : field.value()) {
                    if (name.isTextual()) {
                        files.add(field.file().resolveSibling(name.textValue()));
                    }
                }
            } catch (InvalidPathException e) {
                files.clear();
            }
            if (field.value().isArray() && files.size() == field.value().size()) {
                return files;
            }
            field.mustBe(allowed());
            return null;
        }
    }

    /** Objects with a name; their other fields are ignored. */
    public record NamedObjects() implements KeyType<List<String>> {
        @Override
        public String allowed() {
            return "an array of objects, each with a name";
        }

        @Override
        public @Nullable List<String> read(Field field) {
            if (!field.value().isArray()) {
                field.mustBe(allowed());
                return null;
            }
            List<String> names = new ArrayList<>();
            for (int i = 0; i < field.value().size(); i++) {
                JsonNode object = field.value().get(i);
                JsonNode name = name(object);
                String problem = problem(name, names);
                if (!object.isObject()) {
                    field.faultAt("[" + i + "]", "found " + JsonObject.shown(object) + ", must be an object");
                } else if (problem.isEmpty()) {
                    names.add(name.textValue());
                } else {
                    field.faultAt("[" + i + "].name", problem);
                }
            }
            return names;
        }

        /** The value of the field {@code name}, ignoring case. */
        private static JsonNode name(JsonNode object) {
            return object.properties().stream()
                    .filter(property -> property.getKey().equalsIgnoreCase("name"))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(object.path("name"));
        }

        private static String problem(JsonNode name, List<String> before) {
            if (name.isMissingNode() || name.isNull()) {
                return "is missing, must be a string";
            }
            String found = "found " + JsonObject.shown(name) + ", must ";
            String text = name.asText();
            if (!name.isTextual() || text.isBlank() || !TextTypes.Name.OF_RESOURCE.matches(text)) {
                return found + "be " + TextTypes.Name.OF_RESOURCE.allowed();
            }
            return before.stream().anyMatch(text::equalsIgnoreCase) ? found + "not be named twice" : "";
        }
    }
}
