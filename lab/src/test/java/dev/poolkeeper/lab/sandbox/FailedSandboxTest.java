package dev.poolkeeper.lab.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.lab.replay.BundledReplay;
import java.io.ByteArrayInputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailedSandboxTest {

    @Test
    void a_sandbox_that_cannot_start_leaves_nothing_behind() throws Exception {
        Recording recording = BundledReplay.recording();
        Inventory inventory = BundledReplay.inventory();
        Set<Path> before = folders();
        Set<Thread> threads = Thread.getAllStackTraces().keySet();

        assertThatThrownBy(() -> Sandbox.start(recording, null, Faults.NONE)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> Sandbox.start(recording, inventory, null)).isInstanceOf(RuntimeException.class);
        // fails after both emulators were started: half a character cannot be written to the configuration file
        Inventory unwritable =
                Inventory.read(new ByteArrayInputStream("""
                    {"value":[{"name":"lb-\\ud800","properties":{"backendAddressPools":[{"name":"p","properties":{}}]}}]}
                    """.getBytes(StandardCharsets.UTF_8)), "unwritable");
        assertThatThrownBy(() -> Sandbox.start(recording, unwritable, Faults.NONE))
                .isInstanceOf(CharacterCodingException.class);

        assertThat(folders()).isSubsetOf(before);
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !threads.contains(thread))
                        .filter(thread -> thread.getName().contains("HTTP-Dispatcher"))
                        .filter(Thread::isAlive))
                .isEmpty();
    }

    private static Set<Path> folders() throws Exception {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("poolkeeper-sandbox-"))
                    .collect(Collectors.toSet());
        }
    }
}
