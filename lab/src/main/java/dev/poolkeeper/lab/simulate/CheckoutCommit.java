package dev.poolkeeper.lab.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The checked-out commit of the working directory. */
public final class CheckoutCommit {

    private static final String REF = "ref: ";

    private CheckoutCommit() {}

    /** Its hash, or {@code COMMIT} if unknown. */
    public static String find() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path git = folder.resolve(".git");
            if (Files.isDirectory(git)) {
                try {
                    return read(git);
                } catch (IOException | IllegalArgumentException e) {
                    return "COMMIT";
                }
            }
        }
        return "COMMIT";
    }

    private static String read(Path git) throws IOException {
        String head = Files.readString(git.resolve("HEAD")).strip();
        if (!head.startsWith(REF)) {
            return head;
        }
        String ref = head.substring(REF.length());
        Path file = git.resolve(ref);
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        Path packed = git.resolve("packed-refs");
        List<String> lines = Files.exists(packed) ? Files.readAllLines(packed) : List.of();
        return lines.stream()
                .filter(line -> line.endsWith(" " + ref))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .findFirst()
                .orElse("COMMIT");
    }
}
