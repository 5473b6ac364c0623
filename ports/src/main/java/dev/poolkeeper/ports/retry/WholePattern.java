package dev.poolkeeper.ports.retry;

/**
 * A pattern that must match a whole text. Its writers are not trusted, so an implementation needs time linear in the
 * text. Two are equal if written alike; {@code toString} is the pattern as written. Thread-safe.
 */
public interface WholePattern {

    boolean matches(CharSequence text);
}
