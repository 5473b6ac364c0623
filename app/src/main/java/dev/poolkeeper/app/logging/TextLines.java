package dev.poolkeeper.app.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.ports.ForeignText;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * One line per event: time in UTC, level, logger, message, key-value pairs with quoted values; then the stack trace.
 * Public because {@code logback.xml} uses it. Thread-safe.
 */
public final class TextLines extends LogLines {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(200);
        line.append(TIME.format(instant(event))).append(' ');
        line.append(String.format(Locale.ROOT, "%-5s", event.getLevel())).append(' ');
        line.append(shortName(event.getLoggerName())).append(' ');
        line.append(ForeignText.line(event.getFormattedMessage()));
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        for (KeyValuePair pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
            line.append(' ').append(pair.key).append('=').append(value(pair.value));
        }
        line.append('\n');
        if (event.getThrowableProxy() != null) {
            line.append(ForeignText.block(stackTrace(event)));
        }
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Instant instant(ILoggingEvent event) {
        Instant at = event.getInstant();
        return at == null ? Instant.ofEpochMilli(event.getTimeStamp()) : at;
    }

    private static String shortName(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }

    private static String value(@Nullable Object value) {
        return ForeignText.quoted(String.valueOf(value));
    }
}
