package dev.poolkeeper.input;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file with YAML or JSON in UTF-8. Duplicate keys and aliases are not allowed. */
public final class YamlFile {

    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL) // only if it is not in quotes
            .build();
    private static final ObjectMapper MAPPER = new YAMLMapper(YAML);

    private YamlFile() {}

    /**
     * Reads the file's only document; a missing node if it is empty.
     *
     * @param largest the maximum size in bytes
     * @throws BadInputException if the file cannot be read, is larger, or has any other content; the message quotes no
     *     value
     */
    public static JsonNode document(Path file, int largest) throws BadInputException {
        return document(JsonFile.bytes(file, largest), file.toString());
    }

    /**
     * Reads the only document in these bytes; a missing node if there is none.
     *
     * @param source its name in faults
     */
    public static JsonNode document(byte[] bytes, String source) throws BadInputException {
        String text = text(bytes, source);
        if (text.stripLeading().startsWith("{")) {
            return jsonOrYaml(text, source);
        }
        List<JsonNode> documents = parsed(text, source);
        if (documents.size() > 1) {
            throw fault(source, "", "must hold one document, holds " + documents.size());
        }
        return documents.isEmpty() ? MissingNode.getInstance() : documents.get(0);
    }

    /**
     * Reads the documents of a file, without empty ones.
     *
     * @param largest the maximum size in bytes
     */
    public static List<JsonNode> documents(Path file, int largest) throws BadInputException {
        return parsed(text(JsonFile.bytes(file, largest), file.toString()), file.toString());
    }

    /**
     * Parses a text that looks like JSON but may be YAML in braces; if it is neither, reports the JSON parser's fault.
     */
    private static JsonNode jsonOrYaml(String text, String source) throws BadInputException {
        try {
            return JsonFile.MAPPER.readTree(text);
        } catch (StreamConstraintsException e) {
            throw notParsed(source, e);
        } catch (JsonProcessingException e) {
            try {
                List<JsonNode> documents = parsed(text, source);
                if (documents.size() == 1) {
                    return documents.get(0);
                }
            } catch (BadInputException alsoNoYaml) {
                // the JSON parser's fault is more precise
            }
            throw notParsed(source, e);
        }
    }

    private static List<JsonNode> parsed(String text, String source) throws BadInputException {
        try (JsonParser parser = new StrictYamlParser(YAML.createParser(text));
                MappingIterator<JsonNode> found =
                        MAPPER.readerFor(JsonNode.class).readValues(parser)) {
            List<JsonNode> documents = new ArrayList<>();
            while (found.hasNextValue()) {
                JsonNode document = found.nextValue();
                if (document != null && !document.isNull() && !document.isMissingNode()) {
                    documents.add(document);
                }
            }
            return documents;
        } catch (JsonProcessingException e) {
            throw notParsed(source, e);
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory cannot be read", e);
        }
    }

    private static String text(byte[] bytes, String source) throws BadInputException {
        Encoding.of(bytes).requireUtf8(source, "neither YAML nor JSON");
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .replaceFirst("^\\x{FEFF}", "");
        } catch (CharacterCodingException e) {
            throw fault(source, "", "is neither YAML nor JSON: is not UTF-8");
        }
    }

    private static BadInputException notParsed(String source, JsonProcessingException e) {
        return fault(source, ParserWords.placeOf(e), "is neither YAML nor JSON: " + ParserWords.of(e));
    }

    private static BadInputException fault(String source, String place, String problem) {
        return new BadInputException(new InputFault(source, place, problem));
    }
}
