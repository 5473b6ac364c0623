package dev.poolkeeper.lab.retries;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.YamlFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Finds scenarios: bundled ones by name, others by file. */
public final class Scenarios {

    /** The names of the bundled scenarios. */
    public static final List<String> BUNDLED = List.of("linkerd-demo", "outage", "overload", "chain", "arm-quota");

    private static final int LARGEST = 1 << 20;

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
        if (nameOrFile.equals("-")) {
            return parse(standardInput(), "standard input", "standard input");
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
        }
    }

    private static byte[] standardInput() throws BadInputException {
        try {
            byte[] document = System.in.readNBytes(LARGEST + 1);
            if (document.length > LARGEST) {
                throw new BadInputException(
                        new InputFault("standard input", "", "is too long, must have at most " + LARGEST + " bytes"));
            }
            return document;
        } catch (IOException e) {
            throw new BadInputException(new InputFault("standard input", "", "cannot be read"), e);
        }
    }

    private static BadInputException unknown(String nameOrFile) {
        return new BadInputException(new InputFault(
                "--scenario",
                "",
                "found \"" + nameOrFile + "\", must be a file or one of " + String.join(", ", BUNDLED)));
    }

    static Scenario parse(byte[] document, String source, String name) throws BadInputException {
        FaultCollector faults = new FaultCollector(source);
        if (!(YamlFile.document(document, source) instanceof ObjectNode fields)) {
            throw new BadInputException(new InputFault(source, "", "is not a scenario, must be an object"));
        }
        Scenario scenario = ScenarioReader.read(JsonObject.of(fields, "", faults), name);
        faults.throwIfAny();
        return scenario;
    }
}
