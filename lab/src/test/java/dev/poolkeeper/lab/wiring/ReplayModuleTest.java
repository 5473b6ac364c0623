package dev.poolkeeper.lab.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.lab.replay.ReplayInput;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.Speed;
import dev.poolkeeper.lab.replay.VirtualTime;
import dev.poolkeeper.ports.CallContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayModuleTest {

    @TempDir
    private Path folder;

    private ReplayOptions options(String config) throws Exception {
        Configuration daemon =
                ConfigurationReader.read(Files.writeString(folder.resolve("poolkeeper.yaml"), config), Map.of());
        return new ReplayOptions(
                new ReplayInput(List.of(), 0, Inventory.EMPTY, Faults.NONE),
                ReplayOptions.Via.HTTPS,
                Speed.MAX,
                daemon.engine(),
                false,
                Optional.empty(),
                false,
                Optional.of(daemon));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                            | 60",
                "timeouts: {backendRequest: 2s}                | 2",
                "timeouts: {request: 7s}                       | 7",
                "'timeouts: {request: 7s, backendRequest: 2s}' | 2"
            })
    void an_attempt_takes_no_longer_than_the_shorter_timeout(String config, int seconds) throws Exception {
        FakeTime time = new FakeTime(VirtualTime.START, () -> 0);
        assertThat(new ReplayModule(options(config), emitted -> {})
                        .retries(time)
                        .calls()
                        .begin(CallContext.unbound())
                        .attemptTimeout())
                .contains(Duration.ofSeconds(seconds));
    }
}
