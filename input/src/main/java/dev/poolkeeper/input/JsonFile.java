package dev.poolkeeper.input;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that holds one JSON document. */
public final class JsonFile {

    static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** In bytes. */
    private static final long LARGEST_DOCUMENT = 256L << 20;

    /** The fault of bytes in no valid encoding. */
    public static final String NOT_UTF_8 = "is not JSON: is not UTF-8";

    private JsonFile() {}

    /**
     * Reads the file as a JSON object.
     *
     * @throws BadInputException if it cannot be read, is larger than 256 MiB, or holds anything else
     */
    public static JsonObject read(Path file, FaultCollector faults) throws BadInputException {
        requireRegularFile(file);
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.size(file) > LARGEST_DOCUMENT) {
                throw tooLarge(file, LARGEST_DOCUMENT);
            }
            return read(in, faults);
        } catch (IOException e) {
            throw unreadable(file.toString(), e);
        }
    }

    /** Reads a stream as a JSON object; faults use the collector's source as its name. */
    public static JsonObject read(InputStream in, FaultCollector faults) throws BadInputException, IOException {
        BufferedInputStream bytes = new BufferedInputStream(in);
        Encoding.peek(bytes).requireUtf8(faults.source(), "not JSON");
        try {
            JsonNode document = MAPPER.reader().readTree(bytes);
            if (document instanceof ObjectNode object) {
                return new JsonObject(object, () -> "", faults);
            }
            throw new BadInputException(new InputFault(
                    faults.source(),
                    "",
                    (document.isMissingNode() ? "is empty" : "found " + JsonObject.shown(document))
                            + ", must be an object"));
        } catch (JsonProcessingException e) {
            throw new BadInputException(new InputFault(faults.source(), ParserWords.placeOf(e), problemOf(e)));
        } catch (CharConversionException e) {
            throw new BadInputException(new InputFault(faults.source(), "", NOT_UTF_8), e);
        }
    }

    /**
     * Reads the file's bytes, up to a limit.
     *
     * @param largest the maximum size in bytes
     * @throws BadInputException if it is not a regular file, is larger, or cannot be read
     */
    public static byte[] bytes(Path file, int largest) throws BadInputException {
        requireRegularFile(file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(largest + 1);
            if (bytes.length > largest) {
                throw tooLarge(file, largest);
            }
            return bytes;
        } catch (IOException e) {
            throw unreadable(file.toString(), e);
        }
    }

    /** The fault of an existing file that cannot be read. */
    public static BadInputException unreadable(String source, IOException e) {
        String reason = e instanceof NoSuchFileException
                ? "there is no such file"
                : e instanceof AccessDeniedException
                        ? "permission denied"
                        : e.getMessage() == null ? "input/output error" : e.getMessage();
        return new BadInputException(new InputFault(source, "", "cannot be read: " + reason), e);
    }

    private static BadInputException tooLarge(Path file, long largest) {
        return new BadInputException(new InputFault(file.toString(), "", "is larger than " + largest + " bytes"));
    }

    /**
     * Does nothing if the file cannot be looked up; opening it says why.
     *
     * @throws BadInputException if the file does not exist or is not a regular file
     */
    public static void requireRegularFile(Path file) throws BadInputException {
        if (!Files.exists(file) && !Files.notExists(file)) {
            return;
        }
        String problem = Files.isDirectory(file)
                ? "is a directory, must be a file"
                : !Files.exists(file)
                        ? "there is no such file"
                        : !Files.isRegularFile(file)
                                ? "is not a regular file"
                                : !Files.isReadable(file) ? "cannot be read, permission denied" : "";
        if (!problem.isEmpty()) {
            throw new BadInputException(new InputFault(file.toString(), "", problem));
        }
    }

    /** A parser's problem in one line. */
    public static String problemOf(JsonProcessingException e) {
        return "is not JSON: " + ParserWords.of(e);
    }
}
