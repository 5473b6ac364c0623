package dev.poolkeeper.app.logging;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;

/** One line an event: time in UTC, level, logger, message, key-value pairs; then the stack trace. Thread-safe. */
public final class TextLines extends PatternLayoutEncoder {

    /** For {@code logback.xml} too. */
    public TextLines() {
        setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} %-5level %logger{0} %msg %kvp%n");
    }
}
