package dev.poolkeeper.app.logging;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;

/** Encodes each event on its own: nothing stands before the first one or after the last one. Thread-safe. */
abstract class LogLines extends EncoderBase<ILoggingEvent> {

    private static final byte[] NOTHING = new byte[0];

    private final ThrowableProxyConverter stackTraces = new ThrowableProxyConverter();

    @Override
    public final void start() {
        stackTraces.setContext(getContext());
        stackTraces.start();
        super.start();
    }

    @Override
    public final byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public final byte[] footerBytes() {
        return NOTHING;
    }

    /** The stack trace of an event that has one. */
    final String stackTrace(ILoggingEvent event) {
        return stackTraces.convert(event);
    }
}
