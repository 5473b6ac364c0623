package dev.poolkeeper.lab.retries;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Finds scenarios: bundled ones by name, others by file. */
public final class Scenarios {

    /** The names of those that are bundled. */
    public static final List<String> BUNDLED = List.of("linkerd-demo", "outage", "overload", "arm-quota");

    private static final int LARGEST = 1 << 20;

    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Scenarios() {}

    static Scenario find(String nameOrFile) throws BadInputException {
        if (BUNDLED.contains(nameOrFile)) {
            try (InputStream in = Scenarios.class.getResourceAsStream("scenarios/" + nameOrFile + ".yaml")) {
                if (in == null) {
                    throw new IllegalStateException("The scenario " + nameOrFile + " is not in the jar");
                }
                return parse(in.readAllBytes(), nameOrFile, nameOrFile);
            } catch (IOException e) {
                throw new IllegalStateException("The scenario " + nameOrFile + " cannot be read", e);
            }
        }
        try {
            Path file = Path.of(nameOrFile);
            if (!Files.exists(file)) {
                throw unknown(nameOrFile);
            }
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
            return parse(JsonFile.bytes(file, LARGEST), nameOrFile, name);
        } catch (InvalidPathException e) {
            throw unknown(nameOrFile);
        } catch (IOException e) {
            throw new BadInputException(new InputFault(nameOrFile, "", "cannot be read: " + e));
        }
    }

    private static BadInputException unknown(String nameOrFile) {
        return new BadInputException(new InputFault(
                "--scenario",
                "",
                "found \"" + nameOrFile + "\", must be a file or one of " + String.join(", ", BUNDLED)));
    }

    static Scenario parse(byte[] document, String source, String name) throws BadInputException, IOException {
        FaultCollector faults = new FaultCollector(source);
        JsonNode parsed;
        try {
            parsed = YAML.readTree(document);
        } catch (JsonProcessingException e) {
            throw new BadInputException(
                    new InputFault(source, JsonFile.placeOf(e), "is neither YAML nor JSON: " + JsonFile.messageOf(e)));
        }
        if (!(parsed instanceof ObjectNode fields)) {
            throw new BadInputException(new InputFault(source, "", "is no scenario, must be an object"));
        }
        Scenario scenario = ScenarioReader.read(JsonObject.of(fields, "", faults), name);
        faults.throwIfAny();
        return scenario;
    }
}
