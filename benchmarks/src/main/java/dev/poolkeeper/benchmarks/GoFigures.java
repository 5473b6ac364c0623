package dev.poolkeeper.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** What the Go updater took on a machine of the same class, by the same ids and in the same units. */
final class GoFigures {

    private GoFigures() {}

    static Properties load() {
        Properties figures = new Properties();
        try (InputStream in = GoFigures.class.getResourceAsStream("go.properties")) {
            figures.load(Objects.requireNonNull(in, "go.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return figures;
    }
}
