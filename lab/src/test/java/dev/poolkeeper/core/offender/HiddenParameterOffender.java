package dev.poolkeeper.core.offender;

/**
 * Breaks the rule that nothing is passed through the thread, so that the architecture test can show that it notices.
 */
public final class HiddenParameterOffender {
    public final ThreadLocal<String> hidden = new ThreadLocal<>();
}
