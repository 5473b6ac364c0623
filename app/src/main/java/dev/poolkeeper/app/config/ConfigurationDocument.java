package dev.poolkeeper.app.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A configuration file as keys and values, the keys in the spelling of {@link Keys}.
 *
 * @param fields what is set
 * @param warnings about keys that nobody uses
 */
record ConfigurationDocument(ObjectNode fields, List<String> warnings) {

    private static final int LARGEST = 1 << 20;

    /** A value without its quotes, which may be a secret. */
    private static final Pattern QUOTED = Pattern.compile("^(Unrecognized token|found undefined alias).*");

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    static ConfigurationDocument read(Path file, FaultCollector faults) throws BadInputException {
        JsonNode document = parse(file);
        List<String> warnings = new ArrayList<>();
        if (!document.isObject()) {
            faults.add("", "holds no keys and values, must be YAML or JSON such as updateModel: desired-state");
        }
        ObjectNode fields = new KeySpelling(Keys.sections(), file, faults, warnings).spelt(document);
        return new ConfigurationDocument(fields, warnings);
    }

    private static JsonNode parse(Path file) throws BadInputException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(JsonFile.bytes(file, LARGEST)))
                    .toString();
            return (text.stripLeading().startsWith("{") ? JSON : YAML).readTree(text);
        } catch (JsonProcessingException e) {
            throw new BadInputException(new InputFault(
                    file.toString(),
                    JsonFile.placeOf(e),
                    "is neither YAML nor JSON: "
                            + QUOTED.matcher(JsonFile.messageOf(e)).replaceAll("$1")));
        } catch (CharacterCodingException e) {
            throw new BadInputException(new InputFault(file.toString(), "", "cannot be read as text: is not UTF-8"));
        } catch (IOException e) {
            throw new BadInputException(new InputFault(file.toString(), "", "cannot be read: " + e));
        }
    }
}
