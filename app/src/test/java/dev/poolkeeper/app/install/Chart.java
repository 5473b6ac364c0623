package dev.poolkeeper.app.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The chart, rendered by Helm itself. */
public final class Chart {

    public static final Path FOLDER = Path.of("..", "deploy", "helm", "poolkeeper");

    /** The values that every installation must set. */
    static final String PLACE = """
        config:
          subscriptionId: s-1
          resourceGroup: g-1
          multipleStandardLoadBalancerConfigurations: [{name: kubernetes}]
        """;

    private static final YAMLMapper YAML = new YAMLMapper();

    private Chart() {}

    static Helm helm() {
        return new Helm(FOLDER.toAbsolutePath().normalize());
    }

    /** @throws IllegalStateException with Helm's message if the values are refused */
    static String text(Path values) {
        return text(FOLDER, values, "poolkeeper");
    }

    /**
     * The same for the chart in a folder.
     *
     * @param release its name and its namespace
     */
    public static String text(Path chart, Path values, String release) {
        return new Helm(chart.toAbsolutePath().normalize())
                .template()
                .withName(release)
                .withNamespace(release)
                .withKubeVersion("1.34.0")
                .withValuesFile(values.toAbsolutePath())
                .call();
    }

    /** The objects rendered with these values. */
    static List<JsonNode> render(String values) {
        try {
            Path file = Files.createTempFile("values", ".yaml");
            try {
                return objects(text(Files.writeString(file, values)));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The objects of a manifest with several documents. */
    public static List<JsonNode> objects(String manifest) {
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(manifest)) {
            return documents.readAll().stream()
                    .filter(document -> !document.isNull() && !document.isMissingNode())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<JsonNode> find(List<JsonNode> objects, String kind) {
        return objects.stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .findFirst();
    }

    /** The first one of a kind. */
    public static JsonNode the(List<JsonNode> objects, String kind) {
        return find(objects, kind).orElseThrow(() -> new AssertionError("no " + kind));
    }

    static JsonNode pod(List<JsonNode> objects) {
        return the(objects, "Deployment").at("/spec/template");
    }
}
