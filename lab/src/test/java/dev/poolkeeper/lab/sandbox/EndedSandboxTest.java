package dev.poolkeeper.lab.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.BundledReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedSandboxTest {

    private static final int STARTED = 42;

    @TempDir
    private Path folder;

    @Test
    void a_process_that_ends_before_its_sandbox_is_closed_leaves_no_folder() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx192m",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Ending.class.getName())
                .inheritIO()
                .start();

        assertThat(process.waitFor()).isEqualTo(STARTED);
        assertThat(folder).isEmptyDirectory();
    }

    /** Ends as on SIGTERM while the daemon is being started. */
    static final class Ending {

        private Ending() {}

        public static void main(String[] args) throws IOException, BadInputException {
            Sandbox sandbox = Sandbox.start(BundledReplay.recording(), BundledReplay.inventory(), Faults.NONE);
            System.exit(Files.exists(sandbox.configuration()) ? STARTED : 1);
        }
    }
}
