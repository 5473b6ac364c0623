package dev.poolkeeper.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** The figures of the Go updater on a machine of the same class, with the same ids and units. */
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
