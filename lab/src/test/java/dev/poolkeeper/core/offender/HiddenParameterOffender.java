package dev.poolkeeper.core.offender;

/** Breaks the rule that nothing is passed through the thread; the architecture test must detect it. */
public final class HiddenParameterOffender {
    public final ThreadLocal<String> hidden = new ThreadLocal<>();
}
