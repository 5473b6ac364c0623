package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default bases of the images. */
class ImageBasesTest {

    private static final Pattern BASE = Pattern.compile("gcr\\.io/distroless/[^\\s<\"]+");
    private static final Pattern PINNED =
            Pattern.compile("gcr\\.io/distroless/[a-z0-9-]+-debian13:nonroot@sha256:[0-9a-f]{64}");

    @ParameterizedTest
    @ValueSource(strings = {"deploy/image", "pom.xml"})
    void every_base_is_a_digest_of_a_supported_debian(String file) throws IOException {
        assertThat(BASE.matcher(Files.readString(Path.of("..", file))).results().map(MatchResult::group))
                .isNotEmpty()
                .allMatch(base -> PINNED.matcher(base).matches());
    }
}
