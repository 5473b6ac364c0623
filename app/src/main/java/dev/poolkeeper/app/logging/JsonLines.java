package dev.poolkeeper.app.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.poolkeeper.input.JsonEscapes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes each event as one line of JSON: time, level, logger, thread, message, then the key-value pairs as fields, the
 * ids of the current span, and the stack trace. A pair whose name is already used gets an underscore prefix.
 *
 * <p>Logback's own JSON encoder nests key-value pairs in a list of objects, which log stores do not index. Thread-safe.
 */
final class JsonLines extends LogLines {

    private final JsonFactory factory = JsonFactory.builder().build().setCharacterEscapes(new JsonEscapes());

    @Override
    public byte[] encode(ILoggingEvent event) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = factory.createGenerator(out)) {
            json.writeStartObject();
            write(json, event);
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) { // writes to memory
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private void write(JsonGenerator json, ILoggingEvent event) throws IOException {
        json.writeStringField("time", event.getInstant().toString());
        json.writeStringField("level", event.getLevel().toString());
        json.writeStringField("logger", event.getLoggerName());
        json.writeStringField("thread", event.getThreadName());
        json.writeStringField("message", event.getFormattedMessage());
        SpanContext span = Span.current().getSpanContext();
        if (span.isValid()) {
            json.writeStringField("trace_id", span.getTraceId());
            json.writeStringField("span_id", span.getSpanId());
        }
        if (event.getThrowableProxy() != null) {
            json.writeStringField("stackTrace", stackTrace(event));
        }
        writePairs(json, event.getKeyValuePairs());
    }

    private static void writePairs(JsonGenerator json, @Nullable List<KeyValuePair> pairs) throws IOException {
        Set<String> taken = new HashSet<>(
                Set.of("time", "level", "logger", "thread", "message", "trace_id", "span_id", "stackTrace"));
        for (KeyValuePair pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
            String name = pair.key;
            while (!taken.add(name)) {
                name = "_" + name;
            }
            writeValue(json, name, pair.value);
        }
    }

    private static void writeValue(JsonGenerator json, String name, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNullField(name);
            case Boolean truth -> json.writeBooleanField(name, truth);
            case Integer number -> json.writeNumberField(name, number);
            case Long number -> json.writeNumberField(name, number);
            case Double number -> json.writeNumberField(name, number);
            default -> json.writeStringField(name, value.toString());
        }
    }
}
