package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.Difference;

/**
 * Something that needs attention.
 *
 * @param title what it is about
 * @param text what is wrong
 * @param moments since when, and until when; empty where neither is known
 * @param remedy what ends it
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
