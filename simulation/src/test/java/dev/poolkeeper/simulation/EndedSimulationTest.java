package dev.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedSimulationTest {

    private static final int STARTED = 42;

    @TempDir
    private Path folder;

    @Test
    void a_process_that_ends_before_its_jvms_are_closed_leaves_no_file() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx192m",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Ending.class.getName())
                .start();

        assertThat(process.waitFor()).isEqualTo(STARTED);
        assertThat(folder).isEmptyDirectory();
    }

    /** Ends as on SIGTERM. */
    static final class Ending {

        private Ending() {}

        public static void main(String[] args) throws IOException {
            SimulatingJvm.start(1);
            System.exit(STARTED);
        }
    }
}
