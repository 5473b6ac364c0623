package dev.poolkeeper.app.logging;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;

/** One line per event: time in UTC, level, logger, message, key-value pairs; then the stack trace. Thread-safe. */
public final class TextLines extends PatternLayoutEncoder {

    /** Public because {@code logback.xml} uses it. */
    public TextLines() {
        setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} %-5level %logger{0} %msg %kvp%n");
    }
}
