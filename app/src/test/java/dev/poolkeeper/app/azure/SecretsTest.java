package dev.poolkeeper.app.azure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.SystemTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Secrets of the configuration reach no log at any level, no failure, no exception and no output. */
class SecretsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    /** Keeps everything that a log could show of an event. */
    private static final class Listening extends AppenderBase<ILoggingEvent> {

        final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLoggerName() + " " + event.getFormattedMessage() + " " + event.getKeyValuePairs() + " "
                    + event.getMDCPropertyMap()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    }

    @TempDir
    private Path folder;

    private final Listening log = new Listening();
    private final List<Appender<ILoggingEvent>> usual = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private Level level;

    @BeforeEach
    void listen() {
        level = ROOT.getLevel();
        for (Iterator<Appender<ILoggingEvent>> each = ROOT.iteratorForAppenders(); each.hasNext(); ) {
            usual.add(each.next());
        }
        usual.forEach(ROOT::detachAppender);
        log.start();
        ROOT.addAppender(log);
        ROOT.setLevel(Level.TRACE);
    }

    @AfterEach
    void stopListening() {
        ROOT.setLevel(level);
        ROOT.detachAppender(log);
        usual.forEach(ROOT::addAppender);
    }

    @Test
    void no_secret_is_shown_on_success_or_when_the_token_is_refused() throws Exception {
        try (ConfiguredArm arm = new ConfiguredArm(folder, ArmSettings.DEFAULT.withOnlyIssuedTokens(true))) {
            Path file = arm.fileWithSecret();
            check(file);
            AzurePools pools = ConfiguredArm.read(file).pools(new SystemTime()).build();
            arm.emulator.cloud().putPool(POOL, AddressSet.of("10.0.0.4"));
            assertThat(readAndWrite(pools)).isTrue();

            arm.emulator.change(settings -> settings.withTokenLifetime(Duration.ZERO));
            AzurePools refused =
                    ConfiguredArm.read(file).pools(new SystemTime()).build();
            assertThat(readAndWrite(refused)).isFalse();
        }
        assertNothingIsSeen();
    }

    @Test
    void no_secret_is_shown_when_no_token_is_issued() throws Exception {
        try (ConfiguredArm arm = new ConfiguredArm(folder, ArmSettings.DEFAULT)) {
            Path file = arm.file(
                    arm.emulator.baseUri() + "/nowhere", "\"aadClientSecret\": \"" + ConfiguredArm.SECRET + "\"");
            assertThat(readAndWrite(
                            ConfiguredArm.read(file).pools(new SystemTime()).build()))
                    .isFalse();
        }
        assertNothingIsSeen();
    }

    @Test
    void no_secret_is_shown_when_the_certificate_is_invalid() throws Exception {
        try (ConfiguredArm arm = new ConfiguredArm(folder, ArmSettings.DEFAULT)) {
            Path certificate = Files.writeString(folder.resolve("client.pfx"), "no certificate");
            Path file = arm.file(
                    arm.emulator.baseUri().toString(),
                    "\"aadClientCertPath\": \"%s\", \"aadClientCertPassword\": \"%s\""
                            .formatted(certificate, ConfiguredArm.SECRET));
            CommandLineRun check = CommandLineRun.of("check-config", file.toString());
            assertThat(check.exitCode()).isEqualTo(2);
            texts.add(check.out() + check.err());
            readAndWriteOrFail(file);
            Files.delete(certificate);
            readAndWriteOrFail(file);
            Files.writeString(folder.resolve("ca.pem"), "no certificate either");
            readAndWriteOrFail(file);
        }
        assertNothingIsSeen();
    }

    private void check(Path file) {
        for (String output : List.of("text", "json")) {
            CommandLineRun run = CommandLineRun.of("check-config", "--output", output, file.toString());
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("***");
            texts.add(run.out() + run.err());
        }
    }

    private void readAndWriteOrFail(Path file) throws Exception {
        try {
            assertThat(readAndWrite(
                            ConfiguredArm.read(file).pools(new SystemTime()).build()))
                    .isFalse();
        } catch (IllegalArgumentException e) {
            StringWriter text = new StringWriter();
            e.printStackTrace(new PrintWriter(text));
            texts.add(text.toString());
        }
    }

    private boolean readAndWrite(BackendPools pools) {
        return switch (pools.read(POOL)) {
            case Reply.Ok<BackendPool>(BackendPool pool) -> {
                texts.add(pool.toString());
                yield succeeds(pools.write(pool, AddressSet.of("10.0.0.5")));
            }
            case Reply.Failed<BackendPool>(Failure failure) -> succeeds(Reply.failed(failure));
        };
    }

    private boolean succeeds(Reply<BackendPool> reply) {
        texts.add(reply.toString());
        if (reply instanceof Reply.Failed<BackendPool>(Failure failure)) {
            texts.add(failure.describe());
            return false;
        }
        return true;
    }

    private void assertNothingIsSeen() {
        assertThat(log.lines).as("what the SDK logs").anyMatch(line -> line.startsWith("com.azure."));
        assertThat(texts).isNotEmpty();
        List<String> all = new ArrayList<>(texts);
        all.addAll(log.lines);
        assertThat(all)
                .allSatisfy(text -> assertThat(text)
                        .doesNotContain(ConfiguredArm.SECRET)
                        .doesNotContainPattern("(?i)bearer [0-9a-z]{8}")
                        .doesNotContainPattern("access_token\"\\s*:\\s*\"[0-9a-z]"));
    }
}
