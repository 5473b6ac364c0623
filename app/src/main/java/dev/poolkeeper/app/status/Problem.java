package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.Difference;

/**
 * A problem that needs attention.
 *
 * @param title the affected object
 * @param text what is wrong
 * @param moments since when and until when; empty if both are unknown
 * @param remedy how to fix it
 */
record Problem(String title, String text, String moments, String remedy) {

    static Problem of(String title, Difference difference, Times times) {
        String since =
                difference.since().map(at -> "Since " + times.of(at) + ".").orElse("");
        String until =
                difference.until().map(at -> "Until " + times.of(at) + ".").orElse("");
        return new Problem(title, difference.text(), (since + " " + until).strip(), difference.remedy());
    }
}
