package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./poolkeeper} in a checkout whose build fails at once: the lock around the build. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherTest {

    @TempDir
    private Path root;

    @BeforeEach
    void checkout() throws Exception {
        executable("poolkeeper", Files.readString(Path.of("..", "poolkeeper")));
        executable("mvnw", "#!/bin/sh\necho '[ERROR] planted'; exit 1\n");
        Files.writeString(root.resolve("pom.xml"), "");
        Files.createDirectories(root.resolve("target/launcher"));
    }

    private void executable(String name, String text) throws Exception {
        Path file = Files.writeString(root.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start() throws Exception {
        ProcessBuilder launcher =
                new ProcessBuilder(root.resolve("poolkeeper").toString(), "--version").redirectErrorStream(true);
        launcher.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return launcher.start();
    }

    private static String output(Process process) throws Exception {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "of a dead process", "without an owner", "a folder"})
    void a_lock_of_a_process_that_is_gone_is_taken_over(String lock) throws Exception {
        Path place = root.resolve("target/launcher/lock");
        switch (lock) {
            case "of a dead process" -> {
                Process dead = new ProcessBuilder("true").start();
                dead.waitFor();
                Files.createSymbolicLink(place, Path.of(Long.toString(dead.pid())));
            }
            case "without an owner" -> Files.createFile(place);
            case "a folder" -> Files.createDirectories(place.resolve("pid"));
            default -> {}
        }
        Process launcher = start();
        assertThat(output(launcher)).contains("[ERROR] planted", "the build failed");
        assertThat(launcher.waitFor()).isEqualTo(1);
        assertThat(place).doesNotExist();
    }

    @Test
    void a_build_in_progress_is_waited_for_and_named() throws Exception {
        Process other = new ProcessBuilder("cat").start();
        Path place = root.resolve("target/launcher/lock");
        Files.createSymbolicLink(place, Path.of(Long.toString(other.pid())));
        Process launcher = start();
        try {
            assertThat(launcher.inputReader().readLine())
                    .isEqualTo("poolkeeper: waiting for the build of process " + other.pid() + " ...");
        } finally {
            other.destroy();
            other.waitFor();
        }
        assertThat(launcher.waitFor()).isEqualTo(1);
        assertThat(place).doesNotExist();
    }
}
