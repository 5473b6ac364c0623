package dev.poolkeeper.k8s.permissions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The permissions that {@code docs/kubernetes.md} says the adapter needs. */
final class Permissions {

    private static final Path DOC = Path.of("..", "docs", "kubernetes.md");

    private Permissions() {}

    /** Each as {@code verb resource.group}. */
    static Set<String> documented() {
        Set<String> all = new TreeSet<>();
        try {
            boolean inside = false;
            for (String line : Files.readAllLines(DOC)) {
                inside = line.startsWith("## ") ? line.equals("## Permissions") : inside;
                String[] cells = line.replace("`", "").split("\\|");
                if (inside && line.startsWith("| `")) {
                    String group = cells[1].strip().replace("\"", "");
                    for (String verb : cells[3].split(",")) {
                        all.add(verb.strip() + " " + cells[2].strip() + "." + group);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }
}
